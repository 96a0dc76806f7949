async () => 6 * 7
