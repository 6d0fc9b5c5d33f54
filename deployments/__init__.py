"""How the flows run: server, worker, schedules, automations."""
