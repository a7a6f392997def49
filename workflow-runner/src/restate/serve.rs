//! `serve` for a Restate server: the server calls this program, which registers itself with the
//! server.

use std::net::SocketAddr;
use std::pin::pin;
use std::process::ExitCode;
use std::time::Duration;

use tokio::net::TcpListener;
use workflow_runtime::Workflow;

use super::in_flight::InFlight;
use crate::command_line::{block_on_many, interrupted, missing_settings};
use crate::engines::restate::{Client, ClientError, Endpoint, Service, ServiceSetup, engine};
use crate::serve::log::{Log, Reporter};
use crate::serve::{HttpServer, Metrics, ServeOptions, resolve};

/// The default address at which this program listens for the Restate server.
const LISTEN: &str = "127.0.0.1:9080";
/// The pause before the admin interface is tried again.
const PAUSE: Duration = Duration::from_millis(250);

/// The options of `serve`.
pub struct RestateServeOptions {
    pub ingress: String,
    pub admin: String,
    pub listen: Option<String>,
    /// The address at which the server reaches this program.
    pub address: Option<String>,
    pub identity_keys: Vec<String>,
    /// `true` to replace an earlier registration of the address.
    pub replace: bool,
    /// The address of the HTTP server; `None` if there is none.
    pub listen_http: Option<String>,
    /// The options that `serve` has in common for all engines, and those of the HTTP server.
    pub serve: ServeOptions,
}

/// Serves until a signal to end the program arrives.
pub fn serve<W: Workflow>(mut options: RestateServeOptions, setup: ServiceSetup) -> Result<ExitCode, String> {
    missing_settings(W::DEFINITION, &options.serve.settings)?;
    let listen = resolve("listen", options.listen.as_deref().unwrap_or(LISTEN))?;
    if let Some(address) = options.address.as_deref().filter(|address| !address.contains("://")) {
        return Err(format!("invalid `--address {address}`: write `http://HOST:PORT`"));
    }
    let log = Log::start(options.serve.log_format);
    let tasks = InFlight::new(setup.tasks);
    // The service sets them, also for executions that are started elsewhere.
    let settings = std::mem::take(&mut options.serve.settings);
    let metrics = Metrics::without_store();
    let count = metrics.observer();
    let service = Service::of::<W>(tasks.clone()).start_with(move |start| {
        start.settings = settings.clone();
        start.observers.extend(Reporter::make());
        start.observers.extend(count());
    });
    let service = (setup.service)(service);
    let service = options.serve.sink.take().into_iter().fold(service, Service::sink);
    let service = options.serve.objects.take().into_iter().fold(service, Service::objects);
    let service = options.serve.events_known_for.into_iter().fold(service, Service::events_known_for);
    let service = options.serve.deployed_at.into_iter().fold(service, Service::deployed_at);
    let name = service.name().to_owned();
    let mut endpoint = Endpoint::new().service(service);
    for key in &options.identity_keys {
        endpoint = endpoint.identity_key(key).map_err(|error| format!("`--identity-key {key}`: {error}"))?;
    }
    block_on_many(async {
        let listener = TcpListener::bind(listen).await;
        let listener = listener.map_err(|error| format!("cannot listen on {listen}: {error}"))?;
        let listen = listener.local_addr().unwrap_or(listen);
        let address = reached_at(&options, listen)?;
        log.say(&format!("serving {} to Restate on http://{listen}, as `{name}`", W::DEFINITION.name));
        warn(log, &options, listen);
        let client = Client::new(&options.ingress, &options.admin);
        let grace = options.serve.grace;
        let answering = match options.listen_http.take() {
            Some(listen) => {
                let server = HttpServer::listen("listen-http", &listen).await?;
                server.warn(log, &options.serve);
                log.say(&format!("serving {} over HTTP at http://{}", W::DEFINITION.name, server.address));
                let engine = engine(&options.ingress, Some(&options.admin), W::DEFINITION, &name);
                Some(tokio::spawn(server.answer(engine, std::mem::take(&mut options.serve), metrics.clone())))
            }
            None => None,
        };
        let mut serving = pin!(async {
            tokio::select! {
                ended = endpoint.serve(listener) => match ended {
                    Ok(never) => match never {},
                    Err(refused) => refused.to_string(),
                },
                refused = register(log, &client, &options, &address, &name, W::DEFINITION.starts_on.is_some()) => refused,
            }
        });
        tokio::select! {
            refused = &mut serving => return Err(refused),
            () = interrupted() => {}
        }
        log.say("shutting down: waiting for running tasks");
        let leave = async {
            tasks.leave().await;
            // A request that has arrived may need the tasks' executions to the end.
            if let Some(answering) = answering {
                let _answered = answering.await;
            }
        };
        tokio::select! {
            _refused = &mut serving => {}
            left = tokio::time::timeout(grace, leave) => log.say(match left {
                Ok(()) => "ended",
                Err(_) => "ended: unfinished tasks run again when the workflow is served next",
            }),
            () = interrupted() => log.say("ended without waiting"),
        }
        Ok(ExitCode::SUCCESS)
    })?
}

/// Returns the address to register.
fn reached_at(options: &RestateServeOptions, listen: SocketAddr) -> Result<String, String> {
    match &options.address {
        Some(address) => Ok(address.clone()),
        None if listen.ip().is_unspecified() => Err(format!(
            "`--listen {listen}` means every address of this machine: add `--address http://HOST:{}` with the address at which \
             Restate reaches this program",
            listen.port()
        )),
        None => Ok(format!("http://{listen}")),
    }
}

fn warn(log: Log, options: &RestateServeOptions, listen: SocketAddr) {
    if options.identity_keys.is_empty() && !listen.ip().is_loopback() {
        log.warn(
            "anyone who can reach this machine can run tasks: add `--identity-key publickeyv1_…` with the public \
             key that the Restate server logs, or listen on 127.0.0.1",
        );
    }
    if options.address.as_deref().is_some_and(|address| address.starts_with("https://")) {
        log.say("note: this program does not serve TLS: the registered address needs a TLS proxy");
    }
}

/// Registers this program as soon as the admin interface can be reached. Returns only if the
/// server refuses the registration, with the reason.
async fn register(
    log: Log,
    client: &Client,
    options: &RestateServeOptions,
    address: &str,
    name: &str,
    starts_on_events: bool,
) -> String {
    let admin = &options.admin;
    let mut waits = false;
    loop {
        let registered = match options.replace {
            true => client.replace(address).await,
            false => client.register(address).await,
        };
        match registered {
            Ok(names) if names.iter().any(|registered| registered == name) => break,
            Ok(names) => return conflict(admin, address, &names.join(", ")),
            Err(ClientError::Unreachable { problem, .. }) => {
                if !waits {
                    log.say(&format!("no Restate server at {admin} yet ({problem}): retrying"));
                }
                waits = true;
                tokio::time::sleep(PAUSE).await;
            }
            Err(ClientError::Refused { status: 409, message }) => return conflict(admin, address, &message),
            Err(error) => {
                return format!(
                    "Restate at {admin} does not register {address}: {error}; set the address of this program with \
                     `--address`"
                );
            }
        }
    }
    let ingress = &options.ingress;
    log.say(&format!("registered at {admin}: executions start at {ingress}/{name}/ID/run"));
    if starts_on_events {
        log.say(&format!("events that start executions are posted to {ingress}/{name}.events/all/start"));
    }
    std::future::pending().await
}

/// Returns the message for a registration that is refused because another deployment has the
/// address.
fn conflict(admin: &str, address: &str, other: &str) -> String {
    format!(
        "another deployment is registered at {address} with Restate at {admin}: {other}. Serve this program at another \
         address, `--listen 127.0.0.1:9081`, so that executions of the former program can continue there. Or replace the \
         former program with `--replace`: its executions cannot continue then"
    )
}
