//! Random schemas and messages, and slow obvious oracles.
