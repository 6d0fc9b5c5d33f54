"""Running the flows: server, worker, schedules, automations."""
