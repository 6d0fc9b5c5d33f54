"""Endpoints for programs that watch a server: liveness, readiness and metrics."""
