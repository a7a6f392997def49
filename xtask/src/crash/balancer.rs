//! A load balancer in front of processes that serve the same workflows. Each connection of a
//! server goes to the process with the fewest connections. The connections of a killed process
//! end, and the servers connect again.

use std::io;
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex, PoisonError};

/// Processes with the numbers of their connections, by address.
type Counts = Arc<Mutex<Vec<(String, usize)>>>;

/// Balances the connections to an address over processes at other addresses, as long as this
/// program runs. Returns the address.
pub fn start(processes: &[String]) -> io::Result<String> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?.to_string();
    let counts: Counts = Arc::new(Mutex::new(processes.iter().map(|process| (process.clone(), 0)).collect()));
    std::thread::spawn(move || {
        for client in listener.incoming().filter_map(Result::ok) {
            let counts = counts.clone();
            std::thread::spawn(move || drop(forward(client, &counts)));
        }
    });
    Ok(address)
}

/// Forwards a connection to a process until one of them closes it.
fn forward(client: TcpStream, counts: &Counts) -> io::Result<()> {
    let (process, at) = connect(counts)?;
    let exchanged = exchange(client, process);
    change(counts, |all| all[at].1 -= 1);
    exchanged
}

/// Copies bytes in both directions until one side ends.
fn exchange(client: TcpStream, process: TcpStream) -> io::Result<()> {
    let (mut from_client, mut to_process) = (client.try_clone()?, process.try_clone()?);
    let sending = std::thread::spawn(move || copy(&mut from_client, &mut to_process));
    copy(&mut { process }, &mut { client });
    let _ = sending.join();
    Ok(())
}

/// Connects to the process with the fewest connections that accepts one. Returns its number.
fn connect(counts: &Counts) -> io::Result<(TcpStream, usize)> {
    change(counts, |all| {
        let mut numbers: Vec<usize> = (0..all.len()).collect();
        numbers.sort_by_key(|at| all[*at].1);
        let mut found = numbers.into_iter().filter_map(|at| Some((TcpStream::connect(&all[at].0).ok()?, at)));
        let found = found.next().ok_or_else(|| io::Error::other("no process accepts a connection"))?;
        all[found.1].1 += 1;
        Ok(found)
    })
}

fn change<T>(counts: &Counts, change: impl FnOnce(&mut Vec<(String, usize)>) -> T) -> T {
    change(&mut counts.lock().unwrap_or_else(PoisonError::into_inner))
}

/// Copies bytes until one side ends, and then closes both.
fn copy(from: &mut TcpStream, to: &mut TcpStream) {
    let _ = io::copy(from, to);
    let _ = (from.shutdown(Shutdown::Both), to.shutdown(Shutdown::Both));
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, Write as _};

    use super::*;

    /// Accepts one connection, answers it with a name, and ends.
    fn process(name: &'static str) -> String {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().expect("a connection");
            drop(listener);
            let mut asked = [0; 3];
            stream.read_exact(&mut asked).expect("a question");
            assert_eq!(&asked, b"who");
            stream.write_all(name.as_bytes()).expect("an answer");
        });
        address
    }

    #[test]
    fn connections_go_to_the_processes_that_run() {
        let address = start(&[process("one"), process("two")]).expect("a port");
        let open = || TcpStream::connect(&address).expect("a connection");
        let mut connections = [open(), open(), open()];
        let mut answers = connections.each_mut().map(|stream| {
            let _ = stream.write_all(b"who");
            let mut answer = String::new();
            let _ = stream.read_to_string(&mut answer);
            answer
        });
        answers.sort();
        // No process is left for the third one.
        assert_eq!(answers, ["", "one", "two"]);
    }
}
