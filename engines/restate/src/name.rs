//! Names of services.

use workflow_runtime::machine::Definition;

/// Returns the service name for a version of a workflow: `order-2`.
pub fn versioned(definition: &Definition, version: &str) -> String {
    valid(&format!("{}-{version}", definition.name))
}

/// Returns the service name without a version: a part of the definition's hash is the version.
pub fn hashed(definition: &Definition) -> String {
    versioned(definition, &format!("{:08x}", definition.hash >> 32))
}

/// Makes a valid Restate name: a letter, then letters, digits, `.`, `_` and `-`.
fn valid(name: &str) -> String {
    let mut valid: String =
        name.chars().map(|c| if c.is_ascii_alphanumeric() || "._-".contains(c) { c } else { '_' }).collect();
    if !valid.starts_with(|c: char| c.is_ascii_alphabetic()) {
        valid.insert(0, 'W');
    }
    valid
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_restate_does_not_take_is_replaced() {
        assert_eq!(valid("order-1f"), "order-1f");
        assert_eq!(valid("my flow/2-1f"), "my_flow_2-1f");
        assert_eq!(valid("2nd-1f"), "W2nd-1f");
    }
}
