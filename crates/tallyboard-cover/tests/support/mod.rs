//! What tests and benches share.
#![allow(dead_code, reason = "each of them uses a part")]

pub mod instances;
pub mod naive;
pub mod random;
pub mod ruler;
pub mod symmetric;
