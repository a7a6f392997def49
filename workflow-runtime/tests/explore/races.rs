//! Races that engines had.
