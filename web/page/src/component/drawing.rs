//! A sketch as SVG, 1:1 in CSS pixels.

use crate::picture::sketch::{Anchor, Face, Paint, Shape, Sketch, Stroke, length};
use chart::Ink;
use std::rc::Rc;
use yew::prelude::*;
use yew::virtual_dom::{VList, VNode, VTag};

/// An image of shapes, so many CSS pixels wide and high; the label says the same in words.
pub fn drawing(sketch: &Sketch, [width, height]: [f64; 2], label: String) -> Html {
    let parts = sketch.shapes.iter().map(|shape| match shape {
        Shape::Group(shapes) => html! { <Part shapes={shapes.clone()} /> },
        other => draw(other),
    });
    let [width, height] = [width, height].map(length);
    html! {
        <svg
            width={width.clone()}
            height={height.clone()}
            viewBox={format!("0 0 {width} {height}")}
            role="img"
            aria-label={label}
        >
            { for parts }
        </svg>
    }
}

#[derive(Properties, PartialEq)]
struct PartProps {
    shapes: Rc<Vec<Shape>>,
}

/// A group of shapes; one that has not changed costs a comparison, and touches no element.
#[component]
fn Part(props: &PartProps) -> Html {
    let shapes: VList = props.shapes.iter().map(draw).collect();
    html! { <g>{ VNode::from(shapes) }</g> }
}

fn draw(shape: &Shape) -> VNode {
    let tag = match shape {
        Shape::Rect([x, y, w, h], paint, stroke) => {
            let mut tag = VTag::new("rect");
            for (name, value) in [("x", *x), ("y", *y), ("width", *w), ("height", *h)] {
                tag.add_attribute(name, length(value));
            }
            painted(tag, *paint, *stroke)
        }
        Shape::Path(path, paint, stroke) => {
            let mut tag = VTag::new("path");
            tag.add_attribute("d", path.clone());
            painted(tag, *paint, *stroke)
        }
        Shape::Group(shapes) => {
            let mut tag = VTag::new("g");
            tag.add_children(shapes.iter().map(draw));
            tag
        }
        Shape::Text(x, y, text, anchor, face) => {
            let mut tag = VTag::new("text");
            tag.add_attribute("x", length(*x));
            tag.add_attribute("y", length(*y));
            tag.add_attribute("class", class(*anchor, *face));
            if face.ink != Ink::Ink && face.ink != Ink::Ink2 {
                tag.add_attribute("fill", face.ink.css());
            }
            tag.add_child(VNode::from(yew::virtual_dom::VText::new(text.clone())));
            tag
        }
    };
    VNode::from(tag)
}

fn painted(mut tag: VTag, paint: Paint, stroke: Option<Stroke>) -> VTag {
    match paint {
        Paint::None => tag.add_attribute("fill", "none"),
        Paint::Ink(ink) => tag.add_attribute("fill", ink.css()),
        Paint::Pale(ink) => {
            tag.add_attribute("fill", ink.css());
            tag.add_attribute("fill-opacity", ".45");
        }
        Paint::Pattern(pattern) => tag.add_attribute("fill", pattern.css()),
    }
    if let Some(stroke) = stroke {
        tag.add_attribute("stroke", stroke.ink.css());
        tag.add_attribute("stroke-width", length(stroke.width));
        if !stroke.dash.is_empty() {
            tag.add_attribute("stroke-dasharray", stroke.dash);
        }
    }
    tag
}

/// The classes of a text; the style sheet has one for each property.
fn class(anchor: Anchor, face: Face) -> String {
    let words = [
        (anchor == Anchor::Middle, "middle"),
        (anchor == Anchor::End, "end"),
        (face.bold, "bold"),
        (face.mono, "mono"),
        (face.large, "large"),
        (face.ink == Ink::Ink, "ink"),
    ];
    let words: Vec<_> = words.into_iter().filter(|(is, _)| *is).map(|(_, word)| word).collect();
    words.join(" ")
}
