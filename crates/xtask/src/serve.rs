//! `cargo xtask serve`: what is missing is installed, the page is built and served.

use crate::Outcome;
use crate::page;
use crate::place::Place;
use crate::progress::say;
use crate::setup::{self, Part};
use crate::site::Site;

/// Where the page is served when nothing is said.
const PORT: u16 = 8080;

pub(crate) fn run(place: &Place, arguments: &[String]) -> Outcome {
    let port = port(arguments)?;
    setup::bring(place, &Part::BUILD)?;
    let folder = page::build_folder(place);
    page::build(place, &folder)?;
    let site = Site::bind(&folder, port)?;
    say("serving the page; stop it with Ctrl-C");
    println!("{}", site.url());
    site.serve();
    Ok(())
}

fn port(arguments: &[String]) -> Outcome<u16> {
    let words: Vec<&str> = arguments.iter().flat_map(|word| word.split('=')).collect();
    match words[..] {
        [] => Ok(PORT),
        ["--port", text] => text.parse().map_err(|_| format!("'{text}' is no port (0 to 65535).")),
        _ => Err(format!("serve takes --port N, not '{}'.", arguments.join(" "))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_port_is_read() {
        let read =
            |words: &[&str]| port(&words.iter().map(|w| (*w).to_owned()).collect::<Vec<_>>());
        assert_eq!(read(&[]), Ok(8080));
        assert_eq!(read(&["--port", "9000"]), Ok(9000));
        assert_eq!(read(&["--port=0"]), Ok(0));
        assert!(read(&["--port", "70000"]).unwrap_err().contains("'70000'"));
        assert!(read(&["--port"]).is_err());
        assert!(read(&["--open"]).unwrap_err().contains("--open"));
    }
}
