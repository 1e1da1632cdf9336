//! The rules of the whole grid, which name no cells.

use tallyboard_base::named::named;

/// A rule of the whole grid, which names no cells.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum WholeGrid {
    /// Rows and columns alone: a Latin square.
    NoRegions,
    /// Rows and columns may repeat values.
    NoLines,
    /// The diagonal from the top left to the bottom right has all values.
    FallingDiagonal,
    /// The diagonal from the bottom left to the top right has all values.
    RisingDiagonal,
    /// More boxes, a cell from the border and a cell apart, have all values: four at size 9. Sizes with square boxes alone.
    Windoku,
    /// The cells with the same place in their boxes have all values.
    DisjointGroups,
    /// Cells a knight's move apart differ.
    AntiKnight,
    /// Cells that touch, also at a corner, differ.
    AntiKing,
    /// Cells that share a side hold no consecutive values.
    NonConsecutive,
    /// No two cells hold the value that is the number of steps from one to the other, along rows and columns.
    AntiTaxicab,
    /// Each 2 × 2 square has a low value, a middle one and a high one.
    GlobalEntropy,
    /// Each 2 × 2 square has all remainders by 3.
    GlobalModular,
    /// All dots are given: neighbours without a dot are not consecutive, and neither is twice the other.
    AllDotsGiven,
    /// All X and V are given: neighbours without X do not sum up to 10, and neighbours without V not to 5.
    AllXvGiven,
    /// Neighbours without a dot of any kind are not consecutive.
    AllDifferencesGiven,
    /// Neighbours without a dot of any kind have none of the ratios of the dots that are given, or not 2 if none is.
    AllRatiosGiven,
}

named! {
    /// All of them, by their names in the text form.
    WholeGrid {
        NoRegions = "regions",
        NoLines = "rows-and-columns",
        FallingDiagonal = "diagonal falling",
        RisingDiagonal = "diagonal rising",
        Windoku = "windoku",
        DisjointGroups = "disjoint-groups",
        AntiKnight = "anti-knight",
        AntiKing = "anti-king",
        NonConsecutive = "non-consecutive",
        AntiTaxicab = "anti-taxicab",
        GlobalEntropy = "global-entropy",
        GlobalModular = "global-modular",
        AllDotsGiven = "all-dots-given",
        AllXvGiven = "all-xv-given",
        AllDifferencesGiven = "all-differences-given",
        AllRatiosGiven = "all-ratios-given",
    }
}

impl WholeGrid {
    /// Whether a line of the text form is the name alone.
    pub(crate) fn is_of_one_word(self) -> bool {
        !matches!(self, Self::NoRegions | Self::NoLines) && !self.name().contains(' ')
    }
}
