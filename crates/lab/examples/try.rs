//! scratch
use scenario::Scenario;
fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let mut s = Scenario::preset(&args[0]).unwrap();
    for a in &args[1..] { let (k,v)=a.split_once('=').unwrap(); s.set_text(k,v).unwrap(); }
    let t=std::time::Instant::now();
    let mut run = reclaimscope_lab::Run::prepare(&s).unwrap();
    while run.advance(1<<20) == reclaimscope_lab::Progress::Running {}
    let r = run.report();
    if args[0]=="tiny" { for z in &run.machine().zones { if z.managed>0 { println!("{z:?}"); } } for p in &run.machine().pcps { println!("{p:?}"); } println!("{:?}", run.machine().nodes[0].kswapd_failures); for b in &run.machine().batches { println!("{}", b.len);} }
    let el=t.elapsed().as_secs_f64();
    println!("{:?} {} events {:.1}M, {:.2}s wall, {:.1} Mev/s", s.title(), r.digest, r.events as f64/1e6, el, r.events as f64/1e6/el);
    println!("thr {:.2} 1e6KiB/s lat {:?} dr {:?}", r.throughput/1024.0/1e6, r.latency_us, r.direct_reclaim_us);
    println!("{:?}", r.vmstat); println!("{:?}", r.cpu_s);
    for w in &r.workers { println!("{} {:?} scan {}", w.name, w.seconds, w.pgscan); }
    for l in &r.locks { println!("{} acq {} cont {} util {:.3} wait {:.3}", l.name,l.acquisitions,l.contended,l.utilisation,l.wait_s); }
    for n in &r.nodes { println!("{:?}", n); }
    println!("us/page {:?}", r.kswapd_us_per_page);
}
#[allow(dead_code)]
pub fn dbg_zone() {}
