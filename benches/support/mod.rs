//! What the benchmarks share: CPU time of rivals taken in turn.
//!
//! Machines are noisy, so figures are ratios of medians of CPU time: in every round each
//! contender runs once, one after the other.

use cpu_time::ProcessTime;

/// One contender: a name, and what it does to the documents; it answers how many links it saw.
pub struct Contender<'a> {
    pub name: &'a str,
    pub run: Box<dyn FnMut() -> usize + 'a>,
}

/// A contender of a name.
pub fn contender<'a>(name: &'a str, run: impl FnMut() -> usize + 'a) -> Contender<'a> {
    Contender {
        name,
        run: Box::new(run),
    }
}

/// Runs the contenders in turn and prints a row for each: median throughput, the ratio of the
/// first one's speed to it, and the number of links. Answers the numbers of links.
pub fn race(title: &str, bytes: usize, contenders: &mut [Contender<'_>]) -> Vec<usize> {
    const ROUNDS: usize = 7;
    let mut times = vec![Vec::new(); contenders.len()];
    let mut counts = vec![0; contenders.len()];
    for round in 0..=ROUNDS {
        for (at, contender) in contenders.iter_mut().enumerate() {
            let start = ProcessTime::now();
            counts[at] = std::hint::black_box((contender.run)());
            if round > 0 {
                times[at].push(start.elapsed().as_secs_f64());
            }
        }
    }
    let medians: Vec<f64> = times.iter_mut().map(|times| median(times)).collect();
    println!("\n{title} ({:.1} MB)", bytes as f64 / 1e6);
    for (at, contender) in contenders.iter().enumerate() {
        println!(
            "  {:<44} {:>9.0} MB/s   ours is {:>6.2} x   {:>9} links",
            contender.name,
            bytes as f64 / 1e6 / medians[at],
            medians[at] / medians[0],
            counts[at],
        );
    }
    counts
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
