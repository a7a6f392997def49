//! The HTTP server of the shop.

use axum::extract::{Path, State};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Json, Router};
use workflow_runtime::{Fault, Value, Workflow, value};
use workflow_sqlite::{Engine, Error};

use crate::order::Order;
use crate::restock::Restock;
use crate::stock::{Parcel, Stock};

/// What the handlers of requests share.
#[derive(Clone)]
struct Server {
    engine: Engine,
    stock: Stock,
}

/// Returns the routes of the shop.
pub fn routes(engine: Engine, stock: Stock) -> Router {
    Router::new()
        .route("/orders", post(start::<Order>))
        .route("/restock", post(start::<Restock>))
        .route("/executions/{id}", get(show))
        .route("/parcels", get(parcels))
        .route("/parcels/{token}/packed", post(packed))
        .route("/stock/{item}", get(count))
        .with_state(Server { engine, stock })
}

/// Starts an execution. A repeated request with the same `Idempotency-Key` starts nothing.
async fn start<W: Workflow>(
    State(server): State<Server>,
    headers: HeaderMap,
    Json(input): Json<Value>,
) -> Result<impl IntoResponse, Problem> {
    let mut start = server.engine.start::<W>(input);
    if let Some(key) = headers.get("idempotency-key").and_then(|key| key.to_str().ok()) {
        start = start.key(key);
    }
    let execution = start.submit().await?;
    Ok((StatusCode::ACCEPTED, Json(value!({ "id": execution.id() }))))
}

async fn show(State(server): State<Server>, Path(id): Path<String>) -> Result<Json<Value>, Problem> {
    let (summary, outcome) = server.engine.execution(&id)?.summary()?;
    let outcome = match outcome {
        None => Value::Null,
        Some(Ok(output)) => value!({ "output": output }),
        Some(Err(fault)) => value!({ "error": fault.error().unwrap_or_default() }),
    };
    Ok(Json(value!({ "status": summary.status.name(), "outcome": outcome })))
}

/// Delivers the answer of the person who has packed a parcel.
async fn packed(State(server): State<Server>, Path(token): Path<String>) -> Result<StatusCode, Problem> {
    let answered = server.engine.succeed(&token, true).await;
    // The order of an unknown token has ended or timed out, and needs its parcel no more.
    if matches!(answered, Ok(()) | Err(Error::UnknownToken)) {
        server.stock.remove_parcel(token).await?;
    }
    answered?;
    Ok(StatusCode::NO_CONTENT)
}

async fn parcels(State(server): State<Server>) -> Result<Json<Vec<Parcel>>, Problem> {
    Ok(Json(server.stock.parcels().await?))
}

async fn count(State(server): State<Server>, Path(item): Path<String>) -> Result<Json<i64>, Problem> {
    Ok(Json(server.stock.count(item).await?))
}

/// A failed request.
struct Problem(StatusCode, String);

impl From<Error> for Problem {
    fn from(error: Error) -> Problem {
        let status = match error {
            Error::UnknownExecution(_) | Error::UnknownToken => StatusCode::NOT_FOUND,
            Error::KeyReused { .. } => StatusCode::UNPROCESSABLE_ENTITY,
            Error::InputRefused { .. } => StatusCode::BAD_REQUEST,
            _ => StatusCode::SERVICE_UNAVAILABLE,
        };
        Problem(status, error.to_string())
    }
}

impl From<Fault> for Problem {
    fn from(fault: Fault) -> Problem {
        Problem(StatusCode::SERVICE_UNAVAILABLE, fault.to_string())
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        (self.0, Json(value!({ "error": self.1 }))).into_response()
    }
}
