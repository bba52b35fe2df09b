//! Colours by what they mean. A picture names an [`Ink`]; only a [`Theme`] knows its colour.

use plotters::style::RGBColor;

/// What a colour is for. Hue says what a task does, slate how much memory, accent what is selected.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Ink {
    /// Text and the first line of a chart.
    Ink,
    /// Units and labels.
    Ink2,
    /// Kernel names and quiet lines.
    Ink3,
    /// Hairlines.
    Line,
    /// Axes and edges of controls.
    Line2,
    /// The ground.
    Bg,
    /// The playback bar, an empty tank, the warm-up.
    Bg2,
    /// Changed, selected, cursor.
    Accent,
    /// Text on accent.
    On,
    /// Application work.
    App,
    /// kswapd's work on pages.
    Work,
    /// Waiting for a lock.
    Lock,
    /// Direct reclaim.
    Direct,
    /// Isolating, with lru_lock held.
    Iso,
    /// I/O, napping, asleep.
    Io,
    /// zone->lock.
    Zone,
    /// Any amount of memory.
    Mem,
    /// An idle CPU; the track of a bar.
    Idle,
    /// Better.
    Good,
    /// Worse; below min.
    Bad,
}

impl Ink {
    /// All inks, in the order of [`Theme::colours`].
    pub const ALL: [Self; 20] = [
        Self::Ink,
        Self::Ink2,
        Self::Ink3,
        Self::Line,
        Self::Line2,
        Self::Bg,
        Self::Bg2,
        Self::Accent,
        Self::On,
        Self::App,
        Self::Work,
        Self::Lock,
        Self::Direct,
        Self::Iso,
        Self::Io,
        Self::Zone,
        Self::Mem,
        Self::Idle,
        Self::Good,
        Self::Bad,
    ];

    /// The style sheet's value, e.g. `var(--work)`.
    #[must_use]
    pub const fn css(self) -> &'static str {
        match self {
            Self::Ink => "var(--ink)",
            Self::Ink2 => "var(--ink2)",
            Self::Ink3 => "var(--ink3)",
            Self::Line => "var(--line)",
            Self::Line2 => "var(--line2)",
            Self::Bg => "var(--bg)",
            Self::Bg2 => "var(--bg2)",
            Self::Accent => "var(--accent)",
            Self::On => "var(--on)",
            Self::App => "var(--app)",
            Self::Work => "var(--work)",
            Self::Lock => "var(--lock)",
            Self::Direct => "var(--direct)",
            Self::Iso => "var(--iso)",
            Self::Io => "var(--io)",
            Self::Zone => "var(--zone)",
            Self::Mem => "var(--mem)",
            Self::Idle => "var(--idle)",
            Self::Good => "var(--good)",
            Self::Bad => "var(--bad)",
        }
    }

    /// The colour that text in this ink has: fills that are too pale for text become [`Ink::Ink2`].
    #[must_use]
    pub const fn for_text(self) -> Self {
        match self {
            Self::App | Self::Iso | Self::Line | Self::Line2 | Self::Idle => Self::Ink2,
            other => other,
        }
    }
}

/// Red, green, blue.
pub type Rgb = [u8; 3];

/// A colour for every ink.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Theme {
    /// In the order of [`Ink::ALL`].
    pub colours: [Rgb; Ink::ALL.len()],
}

impl Theme {
    /// Dark marks on white; the same values as the style sheet's.
    pub const LIGHT: Self = Self {
        colours: [
            [0x16, 0x19, 0x1d],
            [0x4a, 0x52, 0x5b],
            [0x5f, 0x68, 0x72],
            [0xdf, 0xe3, 0xe7],
            [0x86, 0x8f, 0x99],
            [0xff, 0xff, 0xff],
            [0xf6, 0xf7, 0xf8],
            [0x1b, 0x4f, 0xd0],
            [0xff, 0xff, 0xff],
            [0x3a, 0x8f, 0xc4],
            [0x00, 0x69, 0x4e],
            [0xc9, 0x4a, 0x00],
            [0x74, 0x24, 0x5f],
            [0xb9, 0x85, 0x00],
            [0x6b, 0x73, 0x7b],
            [0x38, 0x45, 0x5e],
            [0x38, 0x45, 0x5e],
            [0xec, 0xef, 0xf2],
            [0x00, 0x69, 0x4e],
            [0xa8, 0x3a, 0x00],
        ],
    };

    /// The colour of an ink.
    #[must_use]
    pub fn rgb(&self, ink: Ink) -> Rgb {
        self.colours[ink as usize]
    }

    /// The same for plotters.
    #[must_use]
    pub fn colour(&self, ink: Ink) -> RGBColor {
        let [r, g, b] = self.rgb(ink);
        RGBColor(r, g, b)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inks_stand_at_their_number() {
        for (n, ink) in Ink::ALL.into_iter().enumerate() {
            assert_eq!(ink as usize, n, "{ink:?}");
        }
    }

    #[test]
    fn text_inks_are_readable_on_the_ground() {
        let light = Theme::LIGHT;
        for ink in [Ink::Ink, Ink::Ink2, Ink::Ink3, Ink::Work, Ink::Lock, Ink::Direct, Ink::App] {
            let ratio = contrast(light.rgb(ink.for_text()), light.rgb(Ink::Bg));
            assert!(ratio >= 4.5, "{ink:?}: {ratio}");
        }
    }

    /// The contrast ratio of WCAG 2.
    fn contrast(a: Rgb, b: Rgb) -> f64 {
        let luminance = |c: Rgb| {
            let [r, g, b] = c.map(|v| {
                let v = f64::from(v) / 255.0;
                if v <= 0.040_45 { v / 12.92 } else { libm::pow((v + 0.055) / 1.055, 2.4) }
            });
            0.2126 * r + 0.7152 * g + 0.0722 * b
        };
        let (a, b) = (luminance(a), luminance(b));
        (a.max(b) + 0.05) / (a.min(b) + 0.05)
    }
}
