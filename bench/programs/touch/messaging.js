() => typeof MessageChannel
