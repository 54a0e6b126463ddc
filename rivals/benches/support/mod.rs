//! Shared code of the benchmarks: CPU time of alternating rivals.
//!
//! Machines are noisy, so figures are ratios of medians of CPU time: in every round each
//! contender runs once, one after the other.

use cpu_time::ProcessTime;

/// A contender: a name, and a pass over the documents that returns the number of its links.
pub struct Contender<'a> {
    pub name: &'a str,
    pub run: Box<dyn FnMut() -> usize + 'a>,
}

/// Builds a contender.
pub fn contender<'a>(name: &'a str, run: impl FnMut() -> usize + 'a) -> Contender<'a> {
    Contender {
        name,
        run: Box::new(run),
    }
}

/// The measured time of a contender, and its number of links.
#[allow(dead_code)]
#[derive(Clone, Copy)]
pub struct Measure {
    /// The median of its CPU time, in seconds.
    pub seconds: f64,
    /// The number of links.
    pub links: usize,
}

/// Runs the contenders in turn, in rounds of which the first is a warm-up.
pub fn measure(contenders: &mut [Contender<'_>]) -> Vec<Measure> {
    const ROUNDS: usize = 5;
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
    let medians = times.iter_mut().map(|times| median(times));
    let measures = medians.zip(counts);
    measures
        .map(|(seconds, links)| Measure { seconds, links })
        .collect()
}

/// Runs the contenders and prints a row for each: median throughput, the ratio of the first one's speed to it, and the
/// number of links. Returns the numbers of links.
#[allow(dead_code)]
pub fn race(title: &str, bytes: usize, contenders: &mut [Contender<'_>]) -> Vec<usize> {
    let measures = measure(contenders);
    println!("\n{title} ({:.1} MB)", bytes as f64 / 1e6);
    for (contender, measure) in contenders.iter().zip(&measures) {
        println!(
            "  {:<44} {:>9.0} MB/s   ours is {:>6.2} x   {:>9} links",
            contender.name,
            bytes as f64 / 1e6 / measure.seconds,
            measure.seconds / measures[0].seconds,
            measure.links,
        );
    }
    measures.iter().map(|measure| measure.links).collect()
}

/// True if a row is requested: the arguments are parts of its title; without arguments all rows are.
#[allow(dead_code)]
pub fn is_wanted(title: &str) -> bool {
    let mut parts = std::env::args()
        .skip(1)
        .filter(|arg| !arg.starts_with("--"));
    parts.all(|part| title.contains(&part))
}

/// Prints a row: our contenders come first, the last one is the rival. All must find the same number of links.
#[allow(dead_code)]
pub fn row(title: &str, bytes: usize, contenders: &mut [Contender<'_>]) {
    if !is_wanted(title) {
        return;
    }
    let measures = measure(contenders);
    let Some((rival, ours)) = measures.split_last() else {
        return;
    };
    let rate = |measure: &Measure| bytes as f64 / 1e9 / measure.seconds;
    print!("{title:<44}");
    for (contender, measure) in contenders.iter().zip(ours) {
        let times = rival.seconds / measure.seconds;
        print!(
            " {} {:5.2} GB/s {times:5.2} x  ",
            contender.name,
            rate(measure)
        );
        assert_eq!(measure.links, rival.links, "{title}: {}", contender.name);
    }
    println!(" rival {:5.2} GB/s  {} links", rate(rival), rival.links);
}

fn median(times: &mut [f64]) -> f64 {
    times.sort_by(f64::total_cmp);
    times[times.len() / 2]
}
