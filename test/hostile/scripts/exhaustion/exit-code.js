// tries: ends with a code that no process can have
// when: soak
// ends: completed, failed
process.exit(1e308);
