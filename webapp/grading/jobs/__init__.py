"""Jobs for graders, of every owner: queues, the broker, and the reports."""
