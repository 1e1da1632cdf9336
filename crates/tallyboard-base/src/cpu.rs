//! The kernels, and proof that this CPU has the instructions of one.

use crate::named::named;

/// The instruction sets that inner loops are written for, by name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kernel {
    /// Plain arithmetic: every CPU.
    Portable,
    /// 128-bit vectors: every ARM CPU of 64 bits.
    Neon,
    /// 256-bit vectors: Intel since Haswell, AMD since Excavator.
    Avx2,
    /// 512-bit vectors: Intel since Skylake-SP, AMD since Zen 4.
    Avx512,
}

named! {
    /// All kernels, those with the narrowest vectors first.
    Kernel { Portable = "portable", Neon = "neon", Avx2 = "avx2", Avx512 = "avx512" }
}

/// The CPU lacks the instructions of a kernel.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("this CPU cannot run the {wanted} kernel; the widest that it can run is {best}")]
pub struct KernelMissing {
    /// The kernel asked for.
    pub wanted: Kernel,
    /// The kernel with the widest vectors that this CPU can run.
    pub best: Kernel,
}

impl Kernel {
    /// The kernels that this CPU can run, those with the narrowest vectors first. The AVX-512 kernel of the queens engine
    /// `halves` needs instructions beyond those that [`Avx512`] proves: `queens::Count::with` checks for them.
    pub fn available() -> impl Iterator<Item = Self> {
        Instructions::all().map(Instructions::kernel)
    }

    /// The kernel with the widest vectors that this CPU can run. It is not always the fastest.
    pub fn best() -> Self {
        Instructions::best().kernel()
    }
}

/// The instructions of a kernel. A value exists only if this CPU has them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Instructions {
    /// Nothing beyond what every CPU has.
    Portable,
    /// For [`Kernel::Neon`].
    #[cfg(target_arch = "aarch64")]
    Neon(Neon),
    /// For [`Kernel::Avx2`].
    #[cfg(target_arch = "x86_64")]
    Avx2(Avx2),
    /// For [`Kernel::Avx512`].
    #[cfg(target_arch = "x86_64")]
    Avx512(Avx512),
}

impl Instructions {
    /// The instructions of `kernel`.
    ///
    /// # Errors
    /// [`KernelMissing`] if the CPU lacks them.
    pub fn of(kernel: Kernel) -> Result<Self, KernelMissing> {
        Self::find(kernel).ok_or_else(|| KernelMissing { wanted: kernel, best: Kernel::best() })
    }

    /// The instructions of `kernel`, or the [best](Self::best) if the CPU lacks them.
    pub fn of_or_best(kernel: Kernel) -> Self {
        Self::find(kernel).unwrap_or_else(Self::best)
    }

    /// The instructions with the widest vectors that the CPU has. They are not always the fastest: narrow covers are
    /// counted faster with AVX2 than with AVX-512.
    pub fn best() -> Self {
        Self::all().last().unwrap_or(Self::Portable)
    }

    /// The instructions of every kernel that the CPU can run, those with the narrowest vectors first.
    pub fn all() -> impl Iterator<Item = Self> {
        Kernel::ALL.into_iter().filter_map(Self::find)
    }

    #[cfg(target_arch = "x86_64")]
    fn find(kernel: Kernel) -> Option<Self> {
        match kernel {
            Kernel::Portable => Some(Self::Portable),
            Kernel::Neon => None,
            Kernel::Avx2 => Avx2::find().map(Self::Avx2),
            Kernel::Avx512 => Avx512::find().map(Self::Avx512),
        }
    }

    #[cfg(target_arch = "aarch64")]
    fn find(kernel: Kernel) -> Option<Self> {
        match kernel {
            Kernel::Portable => Some(Self::Portable),
            Kernel::Neon => Some(Self::Neon(Neon::find())),
            Kernel::Avx2 | Kernel::Avx512 => None,
        }
    }

    #[cfg(not(any(target_arch = "x86_64", target_arch = "aarch64")))]
    fn find(kernel: Kernel) -> Option<Self> {
        (kernel == Kernel::Portable).then_some(Self::Portable)
    }

    /// The kernel that these instructions are for.
    pub fn kernel(self) -> Kernel {
        match self {
            Self::Portable => Kernel::Portable,
            #[cfg(target_arch = "aarch64")]
            Self::Neon(_) => Kernel::Neon,
            #[cfg(target_arch = "x86_64")]
            Self::Avx2(_) => Kernel::Avx2,
            #[cfg(target_arch = "x86_64")]
            Self::Avx512(_) => Kernel::Avx512,
        }
    }
}

/// Calls `$function` in the module of the kernel that `$instructions` are for. The caller has these modules in scope:
/// `portable`, `neon`, `avx2` and `avx512`.
#[doc(hidden)]
#[macro_export]
macro_rules! in_kernel {
    ($instructions:expr, $function:ident($($arg:expr),* $(,)?)) => {
        match $instructions {
            $crate::cpu::Instructions::Portable => portable::$function($($arg),*),
            #[cfg(target_arch = "aarch64")]
            $crate::cpu::Instructions::Neon(proof) => neon::$function(proof, $($arg),*),
            #[cfg(target_arch = "x86_64")]
            $crate::cpu::Instructions::Avx2(proof) => avx2::$function(proof, $($arg),*),
            #[cfg(target_arch = "x86_64")]
            $crate::cpu::Instructions::Avx512(proof) => avx512::$function(proof, $($arg),*),
        }
    };
}

/// Leaves functions as they are. Portable kernels use it where others use a macro that compiles for their instructions.
#[doc(hidden)]
#[macro_export]
macro_rules! portable {
    ($($functions:tt)*) => { $($functions)* };
}

/// Implements the operations of a trait of vectors for one instruction set, each given as an expression: first the
/// unsafe ones, then the others.
#[doc(hidden)]
#[macro_export]
macro_rules! operations {
    (
        unsafe { $(fn $unsafe_name:ident($($input:tt)*) $(-> $output:ty)? = $unsafe_body:expr;)* }
        $(fn $name:ident($($arg:tt)*) -> $out:ty = $body:expr;)*
    ) => {
        $(
            #[inline(always)]
            #[allow(unused_unsafe)]
            unsafe fn $unsafe_name($($input)*) $(-> $output)? {
                // SAFETY: the caller's promise.
                unsafe { $unsafe_body }
            }
        )*
        $(
            #[inline(always)]
            #[allow(unused_unsafe)]
            fn $name($($arg)*) -> $out {
                // SAFETY: the body uses no pointer, so it only needs the instructions. Vectors and masks are first made by the
                // unsafe functions, whose caller promises that the CPU has these instructions. An argument is such a vector
                // or mask, or was made of some, so the promise was given.
                unsafe { $body }
            }
        )*
    };
}

pub use crate::{in_kernel, operations, portable};

/// Functions compiled for the instructions that `$proof` proves. They are methods of the proof, or take it as
/// their first argument, so no caller can call one on a CPU that lacks the instructions. Only the macros
/// below may call this one: their lists of features are what the proofs prove.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! compiled {
    ($proof:ty, $features:literal; $(
        fn $name:ident $(<$life:lifetime>)? (self $(, $arg:ident: $type:ty)* $(,)?)
        $(-> $out:ty)? $body:block
    )*) => {$(
        #[inline]
        fn $name $(<$life>)? (self, $($arg: $type),*) $(-> $out)? {
            #[target_feature(enable = $features)]
            fn compiled $(<$life>)? ($($arg: $type),*) $(-> $out)? $body
            let _: $proof = self;
            // SAFETY: `self` proves that the CPU has these features.
            unsafe { compiled($($arg),*) }
        }
    )*};
    ($proof:ty, $features:literal; $(
        $(#[$note:meta])*
        $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block
    )*) => {$(
        $(#[$note])*
        #[inline]
        $vis fn $name(_: $proof, $($arg: $type),*) $(-> $out)? {
            #[target_feature(enable = $features)]
            fn compiled($($arg: $type),*) $(-> $out)? $body
            // SAFETY: the first argument proves that the CPU has these features.
            unsafe { compiled($($arg),*) }
        }
    )*};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use crate::compiled;

#[cfg(target_arch = "x86_64")]
mod x86 {
    /// Proof of AVX2, BMI1, BMI2, LZCNT and POPCNT.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Avx2(());

    impl Avx2 {
        pub(super) fn find() -> Option<Self> {
            let is_supported = is_x86_feature_detected!("avx2")
                && is_x86_feature_detected!("bmi1")
                && is_x86_feature_detected!("bmi2")
                && is_x86_feature_detected!("lzcnt")
                && is_x86_feature_detected!("popcnt");
            is_supported.then_some(Self(()))
        }
    }

    /// Proof of all that [`Avx2`] proves, and of AVX-512 F, BW, DQ and VL.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Avx512 {
        vbmi2: bool,
        vpopcntdq: bool,
    }

    impl Avx512 {
        pub(super) fn find() -> Option<Self> {
            let is_supported = Avx2::find().is_some()
                && is_x86_feature_detected!("avx512f")
                && is_x86_feature_detected!("avx512bw")
                && is_x86_feature_detected!("avx512dq")
                && is_x86_feature_detected!("avx512vl");
            is_supported.then(|| Self {
                vbmi2: is_x86_feature_detected!("avx512vbmi2"),
                vpopcntdq: is_x86_feature_detected!("avx512vpopcntdq"),
            })
        }

        /// Proof of VBMI2, which compresses words of 16 bits.
        pub fn vbmi2(self) -> Option<Vbmi2> {
            self.vbmi2.then_some(Vbmi2(()))
        }

        /// Proof of VPOPCNTDQ, which counts the bits of many words at once.
        pub fn vpopcntdq(self) -> Option<Vpopcntdq> {
            self.vpopcntdq.then_some(Vpopcntdq(()))
        }
    }

    /// Proof of what [`Avx512`] proves and of VBMI2.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Vbmi2(());

    /// Proof of what [`Avx512`] proves and of VPOPCNTDQ.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Vpopcntdq(());

    /// [`compiled`] for [`Avx2`].
    #[doc(hidden)]
    #[macro_export]
    macro_rules! avx2 {
        ($($functions:tt)*) => {
            $crate::cpu::compiled! {
                $crate::cpu::Avx2, "avx2,bmi1,bmi2,lzcnt,popcnt"; $($functions)*
            }
        };
    }

    /// [`compiled`] for [`Avx512`].
    #[doc(hidden)]
    #[macro_export]
    macro_rules! avx512 {
        ($($functions:tt)*) => {
            $crate::cpu::compiled! {
                $crate::cpu::Avx512,
                "avx512f,avx512bw,avx512dq,avx512vl,avx2,bmi1,bmi2,lzcnt,popcnt";
                $($functions)*
            }
        };
    }

    /// [`compiled`] for [`Vbmi2`].
    #[doc(hidden)]
    #[macro_export]
    macro_rules! vbmi2 {
        ($($functions:tt)*) => {
            $crate::cpu::compiled! {
                $crate::cpu::Vbmi2,
                "avx512f,avx512bw,avx512dq,avx512vl,avx512vbmi2,avx2,bmi1,bmi2,lzcnt,popcnt";
                $($functions)*
            }
        };
    }

    /// [`compiled`] for [`Vpopcntdq`].
    #[doc(hidden)]
    #[macro_export]
    macro_rules! vpopcntdq {
        ($($functions:tt)*) => {
            $crate::cpu::compiled! {
                $crate::cpu::Vpopcntdq,
                "avx512f,avx512bw,avx512dq,avx512vl,avx512vpopcntdq,avx2,bmi1,bmi2,lzcnt,popcnt";
                $($functions)*
            }
        };
    }
}

#[cfg(target_arch = "x86_64")]
pub use crate::{avx2, avx512, vbmi2, vpopcntdq};
#[cfg(target_arch = "x86_64")]
pub use x86::{Avx2, Avx512, Vbmi2, Vpopcntdq};

#[cfg(target_arch = "aarch64")]
mod arm {
    /// Proof of NEON.
    #[derive(Debug, Clone, Copy, PartialEq, Eq)]
    pub struct Neon(());

    impl Neon {
        /// Always: NEON is a part of aarch64.
        pub(super) fn find() -> Self {
            Self(())
        }
    }

    /// [`compiled`] for [`Neon`].
    #[doc(hidden)]
    #[macro_export]
    macro_rules! neon {
        ($($functions:tt)*) => {
            $crate::cpu::compiled! { $crate::cpu::Neon, "neon"; $($functions)* }
        };
    }
}

#[cfg(target_arch = "aarch64")]
pub use crate::neon;
#[cfg(target_arch = "aarch64")]
pub use arm::Neon;

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_kernel_that_can_run_has_its_instructions() {
        for instructions in Instructions::all() {
            assert_eq!(Instructions::of(instructions.kernel()), Ok(instructions));
            assert_eq!(Instructions::of_or_best(instructions.kernel()), instructions);
        }
        assert_eq!(Kernel::available().next(), Some(Kernel::Portable));
        assert_eq!(Kernel::available().last(), Some(Kernel::best()));
    }
}
