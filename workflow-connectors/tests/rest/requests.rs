//! Requests: content and credentials.

use crate::support::{ID, SECRET, Server, THING, TOKEN, answer, get, named, ok, operation, post};
use workflow_connectors::Rest;
use workflow_connectors::rest::RestService;
use workflow_runtime::operation::{Body, Media, Parameter, Piece, Place, Scheme, SchemeKind};
use workflow_runtime::{Value, value};

const BASIC: Scheme = Scheme::new("user", SchemeKind::Basic);
const IN_HEADER: Scheme = Scheme::new("key", SchemeKind::ApiKey(Place::Header, "X-Key"));
const IN_QUERY: Scheme = Scheme::new("key", SchemeKind::ApiKey(Place::Query, "api key"));
const IN_COOKIE: Scheme = Scheme::new("key", SchemeKind::ApiKey(Place::Cookie, "session"));

#[tokio::test]
async fn all_parts_of_a_request_arrive() {
    let server = Server::start((0..4).map(|_| ok("{\"a\": 9007199254740993}"))).await;
    let rest = server.client();
    let answered = rest.send(&post(), value!({ "id": "a/b", "amount": 1.5, "to": "Zoë" }), None, Some("w/ü/1-0")).await;
    assert_eq!(answered, Ok(value!({ "a": 9007199254740993_i64 })));
    static PARAMETERS: &[Parameter] = &[
        Parameter::new("id", Place::Path).required(),
        Parameter::new("q", Place::Query),
        Parameter::new("X-Trace", Place::Header),
        Parameter::new("lang", Place::Cookie),
        Parameter::new("Idempotency-Key", Place::Header),
    ];
    let arguments = value!({ "id": 7, "q": ["a b", "c&d"], "X-Trace": [1, 2], "lang": "de" });
    let put = operation("PUT", THING).parameters(PARAMETERS);
    rest.send(&put, arguments.clone(), None, Some("w/e/1-0")).await.unwrap();
    let own = operation("PATCH", THING).parameters(PARAMETERS);
    let mut with_key = arguments.clone();
    with_key.as_object_mut().unwrap().insert("Idempotency-Key", "mine");
    rest.send(&own, with_key, None, Some("w/e/1-0")).await.unwrap();
    let form = Body::new(Media::Form, "application/x-www-form-urlencoded").members();
    let form = operation("POST", &[Piece::Text("/form")]).body(form);
    rest.send(&form, value!({ "a b": "ü&", "c": [1, 2] }), None, None).await.unwrap();

    let requests = server.requests();
    assert_eq!(
        server.lines(),
        [
            "POST /v1/things/a%2Fb",
            "PUT /v1/things/7?q=a%20b&q=c%26d",
            "PATCH /v1/things/7?q=a%20b&q=c%26d",
            "POST /v1/form"
        ]
    );
    let [posted, put, patched, form] = &requests[..] else { panic!("{requests:?}") };
    assert_eq!(posted.body, r#"{"amount":1.5,"to":"Zoë"}"#);
    assert_eq!(posted.header("content-type"), Some("application/json"));
    assert_eq!(posted.header("authorization"), Some(&*format!("Bearer {SECRET}")));
    assert_eq!(posted.header("idempotency-key"), Some("w/%C3%BC/1-0"));
    assert!(posted.header("accept").is_some_and(|kinds| kinds.starts_with("application/json")));
    assert_eq!((put.header("x-trace"), put.header("cookie")), (Some("1,2"), Some("lang=de")));
    assert_eq!((put.header("authorization"), put.header("idempotency-key"), &*put.body), (None, None, ""));
    assert_eq!(patched.header("idempotency-key"), Some("mine"));
    assert_eq!(form.body, "a%20b=%C3%BC%26&c=1&c=2");
    assert_eq!(form.header("content-type"), Some("application/x-www-form-urlencoded"));
}

#[tokio::test]
async fn schemes_say_as_whom() {
    const SECURED: &[&[&[Scheme]]] = &[
        &[&[BASIC]],
        &[&[IN_HEADER]],
        &[&[IN_QUERY]],
        &[&[IN_COOKIE]],
        // The first list whose credentials all exist.
        &[
            &[],
            &[Scheme::new("other", SchemeKind::Bearer), BASIC],
            &[Scheme::new("key", SchemeKind::Other("digest"))],
            &[BASIC, IN_QUERY],
        ],
        &[&[Scheme::new("other", SchemeKind::Bearer)], &[]],
    ];
    let server = Server::start(SECURED.iter().map(|_| ok("1"))).await;
    let rest = server.client();
    for security in SECURED {
        rest.send(&get().security(security), value!({ "id": 1 }), None, None).await.unwrap();
    }
    let basic = Some("Basic bWU6aGlkZGVuLTlmSzI=");
    let query = format!("GET /v1/things/1?api%20key={SECRET}");
    let cookie = format!("session={SECRET}");
    for (request, (line, authorization, key, cookies)) in server.requests().iter().zip([
        ("GET /v1/things/1", basic, None, None),
        ("GET /v1/things/1", None, Some(SECRET), None),
        (&*query, None, None, None),
        ("GET /v1/things/1", None, None, Some(&*cookie)),
        (&*query, basic, None, None),
        ("GET /v1/things/1", None, None, None),
    ]) {
        assert_eq!(request.line, line);
        let found = (request.header("authorization"), request.header("x-key"), request.header("cookie"));
        assert_eq!(found, (authorization, key, cookies), "{line}");
    }
}

#[tokio::test]
async fn a_missing_configuration_is_reported_and_nothing_is_sent() {
    let server = Server::start([]).await;
    let rest = server.client();
    let elsewhere = Rest::builder().service("hotel", server.service()).build().unwrap();
    let message = named(&elsewhere.send(&get(), value!({ "id": 1 }), None, None).await);
    let expected = "the service `bank` has no address: set `WORKFLOW_REST_BANK_URL`; its document names `https://bank.example.com/v1`";
    assert_eq!(message, ("Http.NotConfigured".to_owned(), format!("Http.NotConfigured: {expected}")));
    const NAMED: &[&[Scheme]] =
        &[&[Scheme::new("my-token", SchemeKind::Bearer)], &[BASIC, Scheme::new("x", SchemeKind::Other("digest"))]];
    const KEYED: &[&[Scheme]] = &[&[Scheme::new("k", SchemeKind::ApiKey(Place::Query, "key"))]];
    for (security, expected) in [
        (
            NAMED,
            "`WORKFLOW_REST_BANK_MY_TOKEN` (a token), or `WORKFLOW_REST_BANK_USER` (`user:password`) and `x` of the unsupported kind `digest`",
        ),
        (KEYED, "`WORKFLOW_REST_BANK_K` (a key)"),
    ] {
        let (name, message) = named(&rest.send(&get().security(security), value!({ "id": 1 }), None, None).await);
        assert_eq!(name, "Http.NotConfigured");
        assert!(
            message.ends_with(&format!("the operation `op` of the service `bank` needs credentials: {expected}")),
            "{message}"
        );
    }
    let service = server
        .service()
        .credentials("user", "hidden")
        .credentials("token", "hidden\nb")
        .credentials("key", "hidden;b=c");
    let rest = Rest::builder().service("bank", service).build().unwrap();
    const USER: &[&[Scheme]] = &[&[BASIC]];
    const SESSION: &[&[Scheme]] = &[&[IN_COOKIE]];
    for (security, expected) in [
        (USER, "must have the form `user:password`"),
        (TOKEN, "characters that are not allowed"),
        (SESSION, "characters that are not allowed"),
    ] {
        let (name, message) = named(&rest.send(&get().security(security), value!({ "id": 1 }), None, None).await);
        assert!(name == "Http.NotConfigured" && message.contains(expected), "{message}");
    }
    assert_eq!(server.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn what_cannot_be_sent_is_not_sent() {
    let server = Server::start([]).await;
    let rest = server.client();
    for arguments in [value!({}), value!({ "id": ".." }), value!({ "id": "" }), value!(5)] {
        let (name, message) = named(&rest.send(&get(), arguments, None, None).await);
        assert_eq!(name, "Http.InvalidArguments");
        assert!(message.contains("`apis/bank.json#op`: the "), "{message}");
    }
    let away = operation("GET", &[Piece::Text("/../admin")]).parameters(ID);
    assert_eq!(named(&rest.send(&away, Value::Null, None, None).await).0, "Http.InvalidArguments");
    assert_eq!(server.lines(), Vec::<String>::new());
}

#[tokio::test]
async fn gateways_get_the_headers_of_the_service() {
    let echo = answer("500 Oh", "text/plain", "X-Gateway: hidden-gateway");
    let server = Server::start([ok("1"), echo]).await;
    let service = server.service().header("X-Gateway", "hidden-gateway").header("User-Agent", "shop");
    let rest = Rest::builder().service("BANK", service).build().unwrap();
    rest.send(&get(), value!({ "id": 1 }), None, None).await.unwrap();
    let requests = server.requests();
    assert_eq!(requests[0].header("x-gateway"), Some("hidden-gateway"));
    assert_eq!(requests[0].header("user-agent"), Some("shop"));
    assert!(!format!("{rest:?}").contains("hidden"));
    let message = named(&rest.send(&get(), value!({ "id": 1 }), None, None).await);
    assert!(message.1.contains("X-Gateway: …"), "{message:?}");
}

#[test]
fn the_environment_is_asked_for_addresses() {
    // No other test of this process reads the environment, and none changes it.
    let built = Rest::from_env().and_then(workflow_connectors::rest::RestBuilder::build);
    assert!(built.is_ok(), "{built:?}");
    assert!(Rest::builder().service("bank", RestService::new("nowhere")).build().is_err());
}
