//! The number of edits between two texts, for suggestions in messages.

/// Returns the least number of characters to insert, to remove and to replace, and of neighbours
/// to swap, that make one text of the other. No character is edited twice. The time is the product
/// of the lengths.
pub fn edit_distance(left: &str, right: &str) -> usize {
    let right: Vec<char> = right.chars().collect();
    // Entry n of a row is the distance between a start of `left` and the first n characters of
    // `right`. The rows are those of two starts before, of one, and of this one.
    let mut older = vec![0; right.len() + 1];
    let mut before: Vec<usize> = (0..=right.len()).collect();
    let mut row = older.clone();
    let mut last = None;
    for (at, own) in left.chars().enumerate() {
        row[0] = at + 1;
        for (place, other) in right.iter().enumerate() {
            let kept = before[place] + usize::from(own != *other);
            let mut least = kept.min(before[place + 1] + 1).min(row[place] + 1);
            let is_swapped = place > 0 && right[place - 1] == own && last == Some(*other);
            if is_swapped {
                least = least.min(older[place - 1] + 1);
            }
            row[place + 1] = least;
        }
        std::mem::swap(&mut older, &mut before);
        std::mem::swap(&mut before, &mut row);
        last = Some(own);
    }
    before[right.len()]
}

#[cfg(test)]
mod tests {
    use super::edit_distance;

    #[test]
    fn edits_are_counted() {
        for (left, right, distance) in [
            ("", "", 0),
            ("", "abc", 3),
            ("order", "order", 0),
            ("order", "odrer", 1),
            ("order", "oder", 1),
            ("order", "orders", 1),
            ("order", "ordnr", 1),
            ("ab", "bca", 3),
            ("kitten", "sitting", 3),
            ("größe", "größer", 1),
            ("öa", "aö", 1),
            ("abcd", "badc", 2),
            ("Pay", "Refund", 6),
        ] {
            assert_eq!(edit_distance(left, right), distance, "{left} {right}");
            assert_eq!(edit_distance(right, left), distance, "{right} {left}");
        }
    }
}
