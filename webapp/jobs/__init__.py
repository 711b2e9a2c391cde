"""Jobs for graders, whoever asks for them: queues, the broker, and the reports."""
