//! Lists of executions.

use workflow_runtime::engine::{Capability, Filter, StartRequest, Status, Summary};
use workflow_runtime::value;

use crate::case::Case;
use crate::expect::equal;
use crate::flows::Names;
use crate::{Verdict, Violation};

fn ids(found: Vec<Summary>) -> Vec<String> {
    found.into_iter().map(|one| one.id).collect()
}

/// Starts executions of these ids, one after the other, and waits for their ends.
async fn start_all(case: &Case, all: &[&str]) -> Verdict {
    for id in all {
        case.start(Names::STEPS, id).await?;
        case.succeeds(id).await?;
    }
    Ok(())
}

pub async fn executions_are_listed_newest_first(case: &mut Case) -> Verdict {
    if !case.has(Capability::Lists) {
        return Ok(());
    }
    start_all(case, &["c", "a", "b"]).await?;
    equal("the list", ids(case.engine.list(&Filter::all()).await?), vec!["b", "a", "c"])
}

pub async fn lists_are_filtered(case: &mut Case) -> Verdict {
    if !case.has(Capability::Lists) {
        return Ok(());
    }
    start_all(case, &["one", "two"]).await?;
    case.start_asking("asks").await?;
    case.start_asking("gone").await?;
    case.engine.cancel("gone", "").await?;
    drop(case.outcome("gone").await?);
    if case.has(Capability::Keys) {
        case.engine.start(StartRequest::new(Names::CHILD, value!({})).id("keyed").key("17")).await?;
        case.succeeds("keyed").await?;
        let listed = case.engine.list(&Filter::all().key("17")).await?;
        equal("the list of a key", listed.iter().map(|one| one.key.as_deref()).collect::<Vec<_>>(), vec![Some("17")])?;
        equal(
            "the list of an unknown key",
            ids(case.engine.list(&Filter::all().key("18")).await?),
            Vec::<String>::new(),
        )?;
    }
    for (filter, expected) in [
        (Filter::all().workflow(Names::STEPS), vec!["two", "one"]),
        (Filter::all().workflow(Names::ASK), vec!["gone", "asks"]),
        (Filter::all().status(Status::Running), vec!["asks"]),
        (Filter::all().status(Status::Cancelled), vec!["gone"]),
        (Filter::all().workflow(Names::STEPS).status(Status::Running), vec![]),
        (Filter::all().workflow(Names::STEPS).limit(1), vec!["two"]),
        (Filter::all().workflow("unheard of"), vec![]),
    ] {
        equal(&format!("the list of {filter:?}"), ids(case.engine.list(&filter).await?), expected)?;
    }
    Ok(())
}

pub async fn pages_of_a_list_have_each_execution_once(case: &mut Case) -> Verdict {
    if !case.has(Capability::Lists) {
        return Ok(());
    }
    let all = ["a", "b", "c", "d", "e", "f", "g"];
    start_all(case, &all).await?;
    let (mut found, mut filter) = (Vec::new(), Filter::all().limit(3));
    loop {
        let page = ids(case.engine.list(&filter).await?);
        if page.len() > 3 || found.len() > all.len() {
            return Err(Violation::new(format!("a page is too long, or there are too many: {page:?}")));
        }
        let Some(last) = page.last().cloned() else { break };
        found.extend(page);
        filter = Filter::all().limit(3).before(last);
    }
    found.reverse();
    equal("the pages", found, all.to_vec())
}
