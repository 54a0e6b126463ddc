//! Benchmarks of linkglot against its rivals, in `benches`, and tests against other implementations of the standards,
//! in `tests`.
