//! Labels of loops and blocks.

use super::keeps_body;

#[test]
fn labels_stand_before_their_statements() {
    keeps_body(
        r#"
    'out: for a in list {
        'turn: {
            if a.is_some() {
                break 'turn;
            }
            continue 'out;
        }
        a();
    }
    'a: while a {
        b
    }
    'b: loop {
        break 'b;
    }
    c(&'a x);
"#,
    );
}

#[test]
fn blocks_with_labels_are_arguments() {
    keeps_body(
        r#"
    Ok('value_: {
        let left_ = a()?;
        if left_ {
            break 'value_ left_;
        }
        b()?
    })
"#,
    );
}
