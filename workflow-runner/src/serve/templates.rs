//! The templates of the server's paths, as metrics and the description of the server name them.

use hyper::Method;

/// The methods and templates of all requests that the server answers. A `HEAD` is described by its
/// `GET`.
pub const ALL: &[(&str, &str)] = &[
    ("POST", "/{workflow}"),
    ("POST", "/callbacks/{token}/fail"),
    ("POST", "/callbacks/{token}/heartbeat"),
    ("POST", "/callbacks/{token}/succeed"),
    ("POST", "/events"),
    ("GET", "/executions"),
    ("POST", "/executions/purge"),
    ("GET", "/executions/{id}"),
    ("POST", "/executions/{id}/cancel"),
    ("GET", "/executions/{id}/events"),
    ("POST", "/executions/{id}/events"),
    ("GET", "/executions/{id}/history"),
    ("POST", "/executions/{id}/redrive"),
    ("GET", "/executions/{id}/result"),
    ("POST", "/executions/{id}/update"),
    ("GET", "/health"),
    ("GET", "/metrics"),
    ("GET", "/openapi.json"),
];

/// The label of requests whose path is no route.
pub const OTHER: &str = "other";

/// Returns the template of a path, [`OTHER`] if there is none.
pub fn of(method: &Method, parts: &[String], workflows: &[&str]) -> &'static str {
    let is_workflow = matches!(parts, [one] if workflows.contains(&one.as_str()));
    let matches = |(of, template): &&(&str, &str)| match *template {
        "/{workflow}" => is_workflow && *method == Method::POST,
        template => {
            let segments = template.trim_start_matches('/').split('/');
            (*of == Method::POST) == (*method == Method::POST)
                && segments.clone().count() == parts.len()
                && segments.zip(parts).all(|(segment, part)| segment.starts_with('{') || segment == part)
        }
    };
    ALL.iter().find(matches).map_or(OTHER, |(_, template)| template)
}

/// Returns the name of a method, which has one of a few values.
pub fn method(method: &Method) -> &'static str {
    match method.as_str() {
        "GET" => "GET",
        "HEAD" => "HEAD",
        "POST" => "POST",
        _ => OTHER,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_have_templates() {
        for (method, path, template) in [
            ("POST", "order", "/{workflow}"),
            ("GET", "order", OTHER),
            ("POST", "refund", OTHER),
            ("POST", "events", "/events"),
            ("HEAD", "executions", "/executions"),
            ("GET", "executions/a", "/executions/{id}"),
            ("POST", "executions/a", OTHER),
            ("POST", "executions/purge", "/executions/purge"),
            ("GET", "executions/purge", "/executions/{id}"),
            ("POST", "callbacks/secret/fail", "/callbacks/{token}/fail"),
            ("POST", "callbacks/secret", OTHER),
            ("GET", "", OTHER),
        ] {
            let parts: Vec<String> = path.split('/').map(str::to_owned).collect();
            let found = of(&Method::from_bytes(method.as_bytes()).expect("a method"), &parts, &["order"]);
            assert_eq!(found, template, "{method} /{path}");
        }
    }
}
