//! The kernels, and proof that this CPU has the instructions of one.

use crate::named::named;

/// The table of kernels in vectors, those with the narrowest vectors first: calls the macro `$then` with `$given` and the rows.
/// A row has the name of the proof that the CPU has the instructions, the name of the kernel and of the modules and the macro
/// that compile for it, and the architecture. A new row takes these instructions, in a line of [`proofs`], and a file of its name in
/// each engine.
#[doc(hidden)]
#[macro_export]
macro_rules! kernels {
    ($($then:ident)::+, $given:tt) => {
        $($then)::+! {
            $given
            /// 128-bit vectors: every ARM CPU of 64 bits.
            Neon neon "aarch64",
            /// 256-bit vectors: Intel since Haswell, AMD since Excavator.
            Avx2 avx2 "x86_64",
            /// 512-bit vectors: Intel since Skylake-SP, AMD since Zen 4.
            Avx512 avx512 "x86_64",
        }
    };
}

/// The instructions that kernels use, by their names in `/proc/cpuinfo`.
pub const NAMES_IN_CPUINFO: &str =
    "popcnt bmi2 avx2 avx512f avx512bw avx512vl avx512_vbmi2 avx512_vpopcntdq asimd";

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

macro_rules! define {
    ({} $($(#[$note:meta])* $kernel:ident $module:ident $architecture:literal,)+) => {
        /// The instruction sets that inner loops are written for, by name.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
        pub enum Kernel {
            /// Plain arithmetic: every CPU.
            Portable,
            $($(#[$note])* $kernel,)+
        }

        named! {
            /// All kernels, those with the narrowest vectors first.
            Kernel { Portable = "portable", $($kernel = stringify!($module)),+ }
        }

        /// The instructions of a kernel. A value exists only if this CPU has them.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Instructions {
            /// Nothing beyond what every CPU has.
            Portable,
            $(
                #[doc = concat!("For [`Kernel::", stringify!($kernel), "`].")]
                #[cfg(target_arch = $architecture)]
                $kernel($kernel),
            )+
        }

        impl Instructions {
            fn find(kernel: Kernel) -> Option<Self> {
                match kernel {
                    Kernel::Portable => Some(Self::Portable),
                    $(
                        #[cfg(target_arch = $architecture)]
                        Kernel::$kernel => $kernel::find().map(Self::$kernel),
                        #[cfg(not(target_arch = $architecture))]
                        Kernel::$kernel => None,
                    )+
                }
            }

            /// The kernel that these instructions are for.
            pub fn kernel(self) -> Kernel {
                match self {
                    Self::Portable => Kernel::Portable,
                    $(
                        #[cfg(target_arch = $architecture)]
                        Self::$kernel(_) => Kernel::$kernel,
                    )+
                }
            }
        }
    };
}
kernels!(define, {});

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
}

/// Calls `$function` in the module of the kernel that `$instructions` are for, with the proof of these instructions first. The caller
/// has `portable` in scope, and the modules of [`kernel_modules`].
#[doc(hidden)]
#[macro_export]
macro_rules! in_kernel {
    (
        { $instructions:expr, $function:ident, $args:tt }
        $($(#[$note:meta])* $kernel:ident $module:ident $architecture:literal,)+
    ) => {
        match $instructions {
            $crate::cpu::Instructions::Portable => portable::$function $args,
            $(
                #[cfg(target_arch = $architecture)]
                $crate::cpu::Instructions::$kernel(proof) => {
                    $crate::cpu::with_proof!($module::$function, proof, $args)
                }
            )+
        }
    };
    ($instructions:expr, $function:ident $args:tt) => {
        $crate::cpu::kernels!($crate::cpu::in_kernel, { $instructions, $function, $args })
    };
}

/// Calls `$function` with `$proof` and then the other arguments.
#[doc(hidden)]
#[macro_export]
macro_rules! with_proof {
    ($module:ident::$function:ident, $proof:ident, ($($arg:expr),* $(,)?)) => {
        $module::$function($proof, $($arg),*)
    };
}

/// The modules of an engine's kernels in vectors, each in a file of the kernel's name.
#[doc(hidden)]
#[macro_export]
macro_rules! kernel_modules {
    () => {
        $crate::cpu::kernels!($crate::cpu::kernel_modules, {});
    };
    ({} $($(#[$note:meta])* $kernel:ident $module:ident $architecture:literal,)+) => {
        $(
            #[cfg(target_arch = $architecture)]
            mod $module;
        )+
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

pub use crate::{in_kernel, kernel_modules, kernels, operations, portable, with_proof};

/// Functions compiled for the instructions that `$proof` proves. They are methods of the proof, or take it as
/// their first argument, so no caller can call one on a CPU that lacks the instructions. Only the macros
/// below may call this one: their lists of features are what the proofs prove.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
#[doc(hidden)]
#[macro_export]
macro_rules! compiled {
    ($proof:ty, $features:tt; $(
        fn $name:ident $(<$life:lifetime>)? (self $(, $arg:ident: $type:ty)* $(,)?)
        $(-> $out:ty)? $body:block
    )*) => {$(
        #[inline]
        fn $name $(<$life>)? (self, $($arg: $type),*) $(-> $out)? {
            #[target_feature $features]
            fn compiled $(<$life>)? ($($arg: $type),*) $(-> $out)? $body
            let _: $proof = self;
            // SAFETY: `self` proves that the CPU has these features.
            unsafe { compiled($($arg),*) }
        }
    )*};
    ($proof:ty, $features:tt; $(
        $(#[$note:meta])*
        $vis:vis fn $name:ident($($arg:ident: $type:ty),* $(,)?) $(-> $out:ty)? $body:block
    )*) => {$(
        $(#[$note])*
        #[inline]
        $vis fn $name(_: $proof, $($arg: $type),*) $(-> $out)? {
            #[target_feature $features]
            fn compiled($($arg: $type),*) $(-> $out)? $body
            // SAFETY: the first argument proves that the CPU has these features.
            unsafe { compiled($($arg),*) }
        }
    )*};
}
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
pub use crate::compiled;

/// Types that prove that the CPU has instructions, each with a macro that compiles functions for them, as [`compiled`] does.
/// `$detected` is the macro of `std` that asks the CPU, `$d` a dollar.
#[cfg(any(target_arch = "x86_64", target_arch = "aarch64"))]
macro_rules! proofs {
    ($d:tt $detected:path; $($(#[$note:meta])* $proof:ident $compiled:ident [$($feature:tt)+])+) => {
        $(
            $(#[$note])*
            #[derive(Debug, Clone, Copy, PartialEq, Eq)]
            pub struct $proof(());

            impl $proof {
                fn find() -> Option<Self> {
                    use $detected as detected;
                    ($(detected!($feature))&&+).then_some(Self(()))
                }
            }

            #[doc = concat!("[`compiled`] for [`", stringify!($proof), "`].")]
            #[doc(hidden)]
            #[macro_export]
            macro_rules! $compiled {
                ($d($d functions:tt)*) => {
                    $crate::cpu::compiled! {
                        $crate::cpu::$proof, ($(enable = $feature),+); $d($d functions)*
                    }
                };
            }
            pub use $compiled;
        )+
    };
}

#[cfg(target_arch = "x86_64")]
proofs! {
    $ std::is_x86_feature_detected;
    /// Proof of AVX2, BMI1, BMI2, LZCNT and POPCNT.
    Avx2 avx2 ["avx2" "bmi1" "bmi2" "lzcnt" "popcnt"]
    /// Proof of all that [`Avx2`] proves, and of AVX-512 F, BW, DQ and VL.
    Avx512 avx512 [
        "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
    ]
    /// Proof of what [`Avx512`] proves and of VBMI2, which compresses words of 16 bits.
    Vbmi2 vbmi2 [
        "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vbmi2" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
    ]
    /// Proof of what [`Avx512`] proves and of VPOPCNTDQ, which counts the bits of many words at once.
    Vpopcntdq vpopcntdq [
        "avx512f" "avx512bw" "avx512dq" "avx512vl" "avx512vpopcntdq" "avx2" "bmi1" "bmi2" "lzcnt" "popcnt"
    ]
}

#[cfg(target_arch = "x86_64")]
impl Avx512 {
    /// Proof of VBMI2, if the CPU has it.
    pub fn vbmi2(self) -> Option<Vbmi2> {
        Vbmi2::find()
    }

    /// Proof of VPOPCNTDQ, if the CPU has it.
    pub fn vpopcntdq(self) -> Option<Vpopcntdq> {
        Vpopcntdq::find()
    }
}

#[cfg(target_arch = "aarch64")]
proofs! {
    $ std::arch::is_aarch64_feature_detected;
    /// Proof of NEON, which is a part of aarch64.
    Neon neon ["neon"]
}

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
