//! The intrinsic functions of the Amazon States Language.
