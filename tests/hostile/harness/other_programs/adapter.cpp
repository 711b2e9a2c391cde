#error "the agent's adapter was taken"
