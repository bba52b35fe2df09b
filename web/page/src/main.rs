//! Mounts the page in the place of what index.html shows before it is there.

use reclaimscope_page::app::App;
use reclaimscope_page::platform::document;

fn main() {
    document::tell_failures();
    yew::Renderer::<App>::with_root(document::root()).render();
}
