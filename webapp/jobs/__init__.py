"""What is sent to graders, whoever asks for it: queues, the broker, and what comes back."""
