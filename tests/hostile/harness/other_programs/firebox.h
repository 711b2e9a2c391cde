#error "the agent's header was taken"
