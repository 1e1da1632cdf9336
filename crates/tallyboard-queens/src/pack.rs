//! Tables of permutations for CPUs that have no instruction to pack lanes: each moves the lanes whose bits are set in a
//! mask to the front of a vector, in order.

/// A table, aligned for entries of 16 or 32 bytes.
#[repr(C, align(32))]
pub(super) struct AlignedTable<T>(pub T);

/// The numbers of the lanes whose bits are set in `mask`, ascending, then zeros.
const fn lanes_of(mask: usize) -> [u8; 8] {
    let mut lanes = [0; 8];
    let mut lane = 0;
    let mut count = 0;
    while lane < 8 {
        if mask >> lane & 1 == 1 {
            lanes[count] = lane as u8;
            count += 1;
        }
        lane += 1;
    }
    lanes
}

/// For each mask of eight: the byte permutation that moves its 16-bit lanes to the front.
pub(super) static ORDER16: AlignedTable<[[u8; 16]; 256]> = AlignedTable({
    let mut order = [[0; 16]; 256];
    let mut at = 0;
    while at < 256 * 16 {
        let mask = at / 16;
        let byte = at % 16;
        order[mask][byte] = 2 * lanes_of(mask)[byte / 2] + (byte % 2) as u8;
        at += 1;
    }
    order
});

/// For each mask of eight: the lane permutation that moves its 32-bit lanes to the front.
#[cfg(target_arch = "x86_64")]
pub(super) static ORDER32: AlignedTable<[[u32; 8]; 256]> = AlignedTable({
    let mut order = [[0; 8]; 256];
    let mut at = 0;
    while at < 256 * 8 {
        let mask = at / 8;
        let lane = at % 8;
        order[mask][lane] = lanes_of(mask)[lane] as u32;
        at += 1;
    }
    order
});

/// For each mask of four: the permutation of 32-bit lanes that moves its 64-bit lanes to the front.
#[cfg(target_arch = "x86_64")]
pub(super) static ORDER64: AlignedTable<[[u32; 8]; 16]> = AlignedTable({
    let mut order = [[0; 8]; 16];
    let mut at = 0;
    while at < 16 * 8 {
        let mask = at / 8;
        let half = at % 8;
        order[mask][half] = 2 * lanes_of(mask)[half / 2] as u32 + (half % 2) as u32;
        at += 1;
    }
    order
});

/// For each mask of four: the byte numbers that move its lanes to the front, and those that move the other lanes there.
/// A vector has `BYTES` bytes. The
/// indexes are the mask, then 0 for the lanes of the mask or 1 for the others, then the byte of the result. Bytes after the moved lanes have the number 255, for which the instruction `tbl` gives 0.
#[cfg(target_arch = "aarch64")]
const fn bytes_of_four<const BYTES: usize>() -> [[[u8; BYTES]; 2]; 16] {
    let width = BYTES / 4;
    let mut order = [[[u8::MAX; BYTES]; 2]; 16];
    let mut at = 0;
    while at < 16 * 2 * BYTES {
        let mask = at / (2 * BYTES);
        let moves_others = at / BYTES % 2;
        let byte = at % BYTES;
        let moved = if moves_others == 0 { mask } else { 15 - mask };
        if byte / width < moved.count_ones() as usize {
            order[mask][moves_others][byte] =
                lanes_of(moved)[byte / width] * width as u8 + (byte % width) as u8;
        }
        at += 1;
    }
    order
}

/// [`bytes_of_four`] for 32-bit lanes in one register.
#[cfg(target_arch = "aarch64")]
pub(super) static BYTES32: [[[u8; 16]; 2]; 16] = bytes_of_four();

/// [`bytes_of_four`] for 64-bit lanes in two registers.
#[cfg(target_arch = "aarch64")]
pub(super) static BYTES64: [[[u8; 32]; 2]; 16] = bytes_of_four();
