//! Samples and events as tools print them, cut, mixed and hostile.

use super::*;

const VMSTAT: &str = "\
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      0 999999  10000 200000    9    9     9     9    9    9  1  1 98  0  0
 2  0      0 400000  10000 200000    0    8   100     0  500  900 10  5 85  0  0
 3  1      4 200000  10000 210000    4    8   300     0  500  900 10  5 85  0  0
procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----
 r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st
 1  0      4 100000  10000 210000    0    0   300     0  500  900 10  5 85  0  0
";

#[test]
fn the_columns_of_vmstat_become_counters_without_the_row_since_boot() {
    let read = Samples::parse(VMSTAT, 1000.0).expect("samples");
    assert_eq!((read.shape, read.t_ms.len()), (Shape::Vmstat, 3));
    let column = |name: &str| -> Vec<(f64, f64)> {
        read.column(read.find(name).expect("a column")).collect()
    };
    assert_eq!(column("nr_free_pages"), [(0.0, 1e5), (1000.0, 5e4), (2000.0, 2.5e4)]);
    assert_eq!(column("pswpout"), [(0.0, 2.0), (1000.0, 4.0), (2000.0, 4.0)]);
    let out = read.find("pswpout").expect("a column");
    assert_eq!(read.rate(out, 0.0, 2000.0), Some(1.0));
    assert_eq!(read.problems, []);
}

#[test]
fn proc_vmstat_again_and_again_is_a_sample_each() {
    let text = "nr_free_pages 100\npgscan_kswapd 5\nnr_free_pages 90\npgscan_kswapd 25\n\
                pgscan_direct 3\nnr_free_pages 80\nhello world you\npgscan_kswapd 45\n";
    let read = Samples::parse(text, 500.0).expect("samples");
    assert_eq!((read.shape, &read.t_ms[..]), (Shape::Proc, &[0.0, 500.0, 1000.0][..]));
    assert_eq!(read.rate(1, 0.0, 1000.0), Some(40.0));
    let said: Vec<_> = read.problems.iter().map(ToString::to_string).collect();
    assert_eq!(said[0], "line 5: the first sample has no `pgscan_direct`; left out");
    assert_eq!(said[1], "line 7: `hello world you` is not a counter and its number; left out");
    let timed = "t_ms 100\npgfault 1\nt_ms 350\npgfault 11\n";
    assert_eq!(Samples::parse(timed, 1.0).expect("samples").t_ms, [100.0, 350.0]);
}

#[test]
fn a_table_with_times_keeps_what_it_can() {
    let text = "# made by hand\nt_ms,pgscan_kswapd,a b,nr_free_pages\n-100,1,0,5\n100,x,0,4\n\
                50,3,0,9\n200,5,0\n300,9,0,\n";
    let read = Samples::parse(text, 1.0).expect("samples");
    assert_eq!(read.names, ["pgscan_kswapd", "nr_free_pages"]);
    assert_eq!(read.t_ms, [-100.0, 50.0, 100.0, 300.0]);
    assert_eq!(read.column(0).map(|(_, v)| v).collect::<Vec<_>>(), [1.0, 3.0, 9.0]);
    let said: Vec<_> = read.problems.iter().map(ToString::to_string).collect();
    assert_eq!(said[0], "line 2: `a b` is no name of a counter; left out");
    assert_eq!(said[1], "line 4: `x` is no number; left out");
    assert!(said[2].starts_with("line 6: 3 cells"), "{said:?}");
    assert!(said[3].contains("do not rise"));
    assert_eq!(read.rate(0, -100.0, 300.0), Some(20.0));
    assert_eq!(read.rate(0, 60.0, 90.0), None);
}

const TRACE: &str = "\
# tracer: nop
#           TASK-PID     CPU#  |||||  TIMESTAMP  FUNCTION
    gt-840 [001] .....   286.555956: mm_vmscan_wakeup_kswapd: nid=0 order=0 gfp_flags=none
         kswapd0-74      [000] .....   286.557927: mm_vmscan_kswapd_wake: nid=0 order=0
  my [1] task-9          [001] .....   286.560000: mm_vmscan_direct_reclaim_end: nr_reclaimed=44
";

#[test]
fn events_of_three_tools_are_read() {
    let read = Events::parse(TRACE).expect("events");
    assert_eq!(read.events.len(), 3);
    assert_eq!(read.names[1], "mm_vmscan_kswapd_wake");
    assert_eq!((read.events[1].t_us, read.events[1].nid), (286_557_927, Some(0)));
    assert_eq!(read.events[2].reclaimed, Some(44));
    assert_eq!(read.span_us(), (286_555_956, 286_560_000));
    assert_eq!(read.times("mm_vmscan_kswapd_wake").collect::<Vec<_>>(), [286_557_927]);
    let report =
        "cpus=4\n kswapd0-74    [000]   286.557927: mm_vmscan_kswapd_wake: nid=1 order=0\n";
    assert_eq!(Events::parse(report).expect("events").events[0].nid, Some(1));
    let perf = "kswapd0    74 [000]   286.557927123: vmscan:mm_vmscan_kswapd_wake: nid=0\n";
    let perf = Events::parse(perf).expect("events");
    assert_eq!(
        (perf.names[0].as_str(), perf.events[0].t_us),
        ("mm_vmscan_kswapd_wake", 286_557_927)
    );
}

#[test]
fn what_is_no_event_is_named_with_its_line() {
    let text = format!("{TRACE}half a li\nCPU:2 [LOST 45 EVENTS]\n");
    let said: Vec<_> =
        Events::parse(&text).expect("events").problems.iter().map(ToString::to_string).collect();
    assert_eq!(said[0], "line 6: `half a li` is no event; left out");
    assert_eq!(said[1], "line 7: events were lost here: counts are too low");
}

#[test]
fn rows_before_the_names_are_left_out() {
    let text = format!("procs\n r b\n 1 2\n 3 4\n{VMSTAT}");
    let read = Samples::parse(&text, 1.0).expect("samples");
    assert_eq!((read.names.len(), read.t_ms.len()), (6, 3));
    assert_eq!(read.values.len(), 18);
    assert_eq!(read.problems.len(), 2);
}

#[test]
fn nothing_and_too_much_are_refused() {
    assert!(Samples::parse("", 1.0).expect_err("nothing").to_string().starts_with("line 1: "));
    assert!(Samples::parse("hello\n", 1.0).is_err());
    assert!(Samples::parse("t_ms,a\n1,2\n", 1.0).is_err(), "one sample is none");
    assert!(Events::parse("hello\n").expect_err("nothing").to_string().contains("`hello`"));
    let long = "x".repeat(SIZE_MAX + 1);
    assert_eq!(Samples::parse(&long, 1.0), Err(ReadError::TooLong(SIZE_MAX + 1)));
    assert!(Events::parse(&long).is_err());
    let flood: String = (0..100_000).map(|i| format!("a{i} {i}\n")).collect();
    let read = Samples::parse(&format!("{flood}{flood}"), 1.0).expect("samples");
    assert_eq!((read.names.len(), read.problems.len()), (512, 21));
}
