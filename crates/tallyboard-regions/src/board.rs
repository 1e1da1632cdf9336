//! A board: squares cut into regions, with the stars that are given and the cells that are crossed out.

use tallyboard_base::text::areas::areas;

/// The most rows of a board.
pub const MAX_SIZE: usize = 32;

/// A row of a board as two sets of columns, with a bit for each.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Row {
    /// The cells that may have a star, those with one included.
    pub possible: u32,
    /// The cells that have a star.
    pub stars: u32,
}

/// A square board of as many regions as it has rows. Each row, column and region gets equally many stars, and no two touch.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub struct Board {
    size: u8,
    stars: u8,
    /// The region of each cell, row by row; regions are numbered in the order of their first cells.
    regions: Box<[u8]>,
    rows: Box<[Row]>,
}

/// What is wrong with a board. Rows and columns are counted from 1.
#[non_exhaustive]
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum BoardError {
    /// The number of cells is no square of a number up to 32.
    #[error("found {0} cells, expected n x n for an n from 1 to {MAX_SIZE}")]
    Cells(usize),
    /// No star, or more than a row can hold.
    #[error("found {found} stars for each row, expected 1 to {most} on a board of {size} rows")]
    Stars {
        /// The stars of each row.
        found: usize,
        /// The most that a row holds without two that touch.
        most: usize,
        /// The number of rows.
        size: usize,
    },
    /// Not as many regions as rows.
    #[error("found {found} regions, expected {size}: one for each row")]
    Regions {
        /// The number of regions.
        found: usize,
        /// The number of rows.
        size: usize,
    },
    /// A cell outside the board.
    #[error("found row {row}, column {column}, expected 1 to {size}")]
    Outside {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
        /// The number of rows.
        size: usize,
    },
    /// A cell that is both given as a star and crossed out.
    #[error("row {row}, column {column} has a star and is crossed out")]
    Contradiction {
        /// The row.
        row: usize,
        /// The column.
        column: usize,
    },
}

impl Board {
    /// A board of `labels.len()` cells, row by row; cells with equal labels are a region. Each row, column and region
    /// gets `stars` stars.
    ///
    /// # Errors
    /// [`BoardError`] if this is no square, or has not as many regions as rows.
    pub fn new(labels: &[u32], stars: usize) -> Result<Self, BoardError> {
        let size = labels.len().isqrt();
        if size == 0 || size > MAX_SIZE || size * size != labels.len() {
            return Err(BoardError::Cells(labels.len()));
        }
        let mut seen: Vec<u32> = Vec::with_capacity(size);
        let mut regions = vec![0; labels.len()];
        for (cell, label) in labels.iter().enumerate() {
            if cell > 0 && labels[cell - 1] == *label {
                regions[cell] = regions[cell - 1];
                continue;
            }
            let number = seen.iter().position(|known| known == label).unwrap_or_else(|| {
                seen.push(*label);
                seen.len() - 1
            });
            regions[cell] = number.min(MAX_SIZE) as u8;
        }
        if seen.len() != size {
            return Err(BoardError::Regions { found: seen.len(), size });
        }
        Self::of_regions(regions.into(), stars)
    }

    /// A board whose regions are numbered in the order of their first cells.
    pub(crate) fn of_regions(regions: Box<[u8]>, stars: usize) -> Result<Self, BoardError> {
        let size = regions.len().isqrt();
        let most = size.div_ceil(2);
        if stars == 0 || stars > most {
            return Err(BoardError::Stars { found: stars, most, size });
        }
        let full = Row { possible: full_row(size), stars: 0 };
        let rows = vec![full; size].into();
        Ok(Self { size: size as u8, stars: stars as u8, regions, rows })
    }

    /// The same board with a star in this cell; rows and columns are counted from 0.
    ///
    /// # Errors
    /// [`BoardError`] if there is no such cell, or it is crossed out.
    pub fn give(mut self, row: usize, column: usize) -> Result<Self, BoardError> {
        self.check(row, column)?;
        if self.rows[row].possible >> column & 1 == 0 {
            return Err(BoardError::Contradiction { row: row + 1, column: column + 1 });
        }
        self.rows[row].stars |= 1 << column;
        Ok(self)
    }

    /// The same board with no star in this cell; rows and columns are counted from 0.
    ///
    /// # Errors
    /// [`BoardError`] if there is no such cell, or it has a star.
    pub fn block(mut self, row: usize, column: usize) -> Result<Self, BoardError> {
        self.check(row, column)?;
        if self.rows[row].stars >> column & 1 == 1 {
            return Err(BoardError::Contradiction { row: row + 1, column: column + 1 });
        }
        self.rows[row].possible &= !(1 << column);
        Ok(self)
    }

    /// The same regions with other stars and cells.
    pub(crate) fn with_rows(self, rows: Vec<Row>) -> Self {
        Self { rows: rows.into(), ..self }
    }

    fn check(&self, row: usize, column: usize) -> Result<(), BoardError> {
        let size = self.size();
        if row < size && column < size {
            return Ok(());
        }
        Err(BoardError::Outside { row: row + 1, column: column + 1, size })
    }

    /// The number of rows, of columns, and of regions.
    pub fn size(&self) -> usize {
        self.size.into()
    }

    /// The stars of each row, column and region.
    pub fn stars(&self) -> usize {
        self.stars.into()
    }

    /// The region of each cell, row by row: numbers in the order of the regions' first cells.
    pub fn regions(&self) -> &[u8] {
        &self.regions
    }

    /// The stars that are given and the cells that are left.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The number of cells of each region.
    pub fn region_sizes(&self) -> Vec<usize> {
        let mut sizes = vec![0; self.size()];
        self.regions.iter().for_each(|&region| sizes[usize::from(region)] += 1);
        sizes
    }

    /// The regions that lie in several parts, so that no way within the region joins them. Such a board can be solved like any
    /// other, but is mostly a mistake.
    pub fn cut_regions(&self) -> Vec<u8> {
        let size = self.size();
        // Cells that a way joins are a tree: each points to a cell before it, or to itself.
        let mut roots = [0_u16; MAX_SIZE * MAX_SIZE];
        let root = |roots: &[u16], mut cell: usize| {
            while usize::from(roots[cell]) != cell {
                cell = roots[cell].into();
            }
            cell
        };
        let mut parts = [0_u16; MAX_SIZE];
        for cell in 0..size * size {
            let region = self.regions[cell];
            let joins_left = !cell.is_multiple_of(size) && self.regions[cell - 1] == region;
            let joins_above = cell >= size && self.regions[cell - size] == region;
            roots[cell] = match (joins_left, joins_above) {
                (true, _) => roots[cell - 1],
                (false, true) => roots[cell - size],
                (false, false) => {
                    parts[usize::from(region)] += 1;
                    cell as u16
                }
            };
            // The cell before the one above joins both neighbours, if it is of the region.
            if joins_left && joins_above && self.regions[cell - size - 1] != region {
                let (left, above) = (root(&roots, cell - 1), root(&roots, cell - size));
                if left != above {
                    roots[left.max(above)] = left.min(above) as u16;
                    parts[usize::from(region)] -= 1;
                }
            }
        }
        (0..self.size).filter(|&region| parts[usize::from(region)] > 1).collect()
    }

    /// The regions of [`cut_regions`](Self::cut_regions), each with the first cell of its smallest part, by row and column from 0:
    /// most likely the cell that was mistyped.
    pub fn odd_cells(&self) -> Vec<(u8, (usize, usize))> {
        let size = self.size();
        let areas = areas(size, size, |one, other| self.regions[one] != self.regions[other]);
        let mut first_cells: Vec<usize> = Vec::new();
        let mut sizes: Vec<usize> = Vec::new();
        for (cell, &area) in areas.iter().enumerate() {
            if area == first_cells.len() {
                first_cells.push(cell);
                sizes.push(0);
            }
            sizes[area] += 1;
        }
        let smallest_part = |region: u8| {
            let parts = (0..sizes.len()).filter(|&area| self.regions[first_cells[area]] == region);
            // Of parts of one size the last: most of the region is seen before.
            let smallest =
                parts.rev().min_by_key(|&area| sizes[area]).expect("each region has cells");
            first_cells[smallest]
        };
        let cut = self.cut_regions().into_iter();
        cut.map(|region| (region, smallest_part(region)))
            .map(|(region, cell)| (region, (cell / size, cell % size)))
            .collect()
    }

    /// Whether `stars`, a set of columns for each row, is a solution. It is checked rule by rule, by no code of the search.
    pub fn is_solved_by(&self, stars: &[u32]) -> bool {
        let size = self.size();
        let mut columns = vec![0; size];
        let mut regions = vec![0; size];
        for (row, &cells) in stars.iter().enumerate() {
            let own = self.rows[row];
            if cells & !own.possible != 0 || own.stars & !cells != 0 {
                return false;
            }
            let above = if row > 0 { stars[row - 1] } else { 0 };
            if cells & (cells << 1) != 0 || cells & (above | above << 1 | above >> 1) != 0 {
                return false;
            }
            if cells.count_ones() != u32::from(self.stars) {
                return false;
            }
            for column in (0..size).filter(|&column| cells >> column & 1 == 1) {
                columns[column] += 1;
                regions[usize::from(self.regions[row * size + column])] += 1;
            }
        }
        stars.len() == size && columns.iter().chain(&regions).all(|&found| found == self.stars)
    }
}

/// The set of all columns of a board of `size` rows.
pub(crate) fn full_row(size: usize) -> u32 {
    u32::MAX >> (u32::BITS as usize - size)
}
