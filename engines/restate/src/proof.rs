//! Proofs that an execution has started its parts: runs of its Maps, and their children.
//!
//! A part begins with any input, so that clients must not start one. They can send each header to
//! `run`, and so a part shows a secret of its parent. The parent resolves a promise with it before
//! its first call of a part. Clients reach neither that promise nor the journal of the parent.

use std::collections::HashSet;
use std::hash::{BuildHasher, RandomState};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hyper::body::Bytes;
use restate_sdk_shared_core::{Error, Header, Input, NonEmptyValue, VM, Value as Notified};
use workflow_runtime::Value;

use crate::connection::{Connection, any_payload, target};
use crate::endpoint::Service;
use crate::handlers::Handler;
use crate::{links, promises};

/// Message for a part without a proof.
pub(crate) const REFUSED: &str = "only an execution of the workflow starts a part of it";

/// Largest number of proofs that a process remembers.
const REMEMBERED: usize = 1_000;

/// Claim of a part: the key of its parent in the same service, and the parent's secret.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Proof {
    parent: String,
    secret: String,
}

impl Proof {
    /// Returns the claim in the headers of a part of this service.
    pub fn read(service: &Service, headers: &[Header]) -> Option<Proof> {
        let parent = links::parent_in(headers)?;
        let parent = parent.strip_prefix(&*service.name)?.strip_prefix('/')?.to_owned();
        Some(Proof { parent, secret: links::secret_in(headers)? })
    }

    /// Asks the parent whether this is its secret.
    pub async fn check(self, service: &Service, connection: &mut Connection) -> Result<bool, Error> {
        let asked = target(&service.name, Handler::Prove.name(), &self.parent);
        let secret = Bytes::from(self.secret.clone());
        let answer = connection.vm.sys_call(asked, secret, None, any_payload())?.call_notification_handle;
        let holds = connection.finished(answer).await? == Notified::Success(Bytes::from_static(b"true"));
        if holds {
            service.proofs.add(self);
        }
        Ok(holds)
    }
}

/// Proofs that hold, so that a process asks a parent once for many parts.
#[derive(Debug, Default)]
pub(crate) struct Proofs(Mutex<HashSet<Proof>>);

impl Proofs {
    /// Returns `true` if a proof is known to hold.
    pub fn has(&self, proof: &Proof) -> bool {
        self.lock().contains(proof)
    }

    fn add(&self, proof: Proof) {
        let mut proofs = self.lock();
        if proofs.len() >= REMEMBERED {
            proofs.clear();
        }
        proofs.insert(proof);
    }

    fn lock(&self) -> MutexGuard<'_, HashSet<Proof>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Returns a secret for an execution. The keys of the hashers are random.
pub(crate) fn new_secret() -> String {
    let draw = || RandomState::new().hash_one(std::process::id());
    format!("{:016x}{:016x}", draw(), draw())
}

/// Resolves the promise of an execution's secret.
pub(crate) fn publish(connection: &mut Connection, secret: &str) -> Result<(), Error> {
    let secret = NonEmptyValue::Success(Bytes::from(secret.to_owned()));
    connection.vm.sys_complete_promise(promises::SECRET.into(), secret, any_payload())?;
    Ok(())
}

/// Answers whether the input is the secret of this execution.
pub(crate) async fn answer(connection: &mut Connection, input: Input) -> Result<(), Error> {
    let peeked = connection.vm.sys_peek_promise(promises::SECRET.into())?;
    let secret = connection.finished(peeked).await?;
    connection.succeed(&Value::from(secret == Notified::Success(input.input)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_long_and_differ() {
        let secrets: HashSet<String> = (0..100).map(|_| new_secret()).collect();
        assert!(secrets.len() == 100 && secrets.iter().all(|secret| secret.len() == 32));
    }

    #[test]
    fn the_number_of_remembered_proofs_is_bounded() {
        let proofs = Proofs::default();
        let proof = |number: usize| Proof { parent: number.to_string(), secret: "s".to_owned() };
        (0..=REMEMBERED).for_each(|number| proofs.add(proof(number)));
        assert!(!proofs.has(&proof(0)) && proofs.has(&proof(REMEMBERED)));
    }
}
