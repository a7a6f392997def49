//! The tasks: lists the albums, and scales pictures.

use crate::thumbnails::Tasks;
use serde::{Deserialize, Serialize};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;
use workflow_runtime::{Fault, TaskContext, Value, value};

/// A request for a thumbnail.
#[derive(Debug, Deserialize)]
pub struct Job {
    /// The index of the picture in the album.
    pub number: u32,
    /// The picture.
    pub file: String,
    /// The width in characters.
    pub width: u32,
}

/// A thumbnail, drawn in characters.
#[derive(Debug, Serialize, Deserialize)]
pub struct Thumbnail {
    /// The file of the picture.
    pub file: String,
    /// Always `true`. The album lists files without thumbnails, too.
    pub made: bool,
    /// Its rows, from the top.
    pub rows: Vec<String>,
}

/// The studio, which scales pictures.
#[derive(Debug, Default)]
pub struct Studio {
    busy: AtomicU32,
    most: AtomicU32,
}

impl Studio {
    /// Returns the largest number of pictures that were scaled at the same time.
    pub fn most_at_once(&self) -> u32 {
        self.most.load(Ordering::Relaxed)
    }
}

impl Tasks for Studio {
    async fn list_files(&self, input: Value, _cx: TaskContext) -> Result<Value, Fault> {
        match input.get("album").and_then(Value::as_str) {
            Some("holidays") => {
                Ok(value!(["hill.png", "sun.jpg", "notes.txt", "waves.png", "torn.jpg", "moon.png", "tent.jpg"]))
            }
            _ => Err(Fault::new("NoSuchAlbum", format!("no album for {input}"))),
        }
    }

    async fn scale(&self, job: Job, cx: TaskContext) -> Result<Thumbnail, Fault> {
        let busy = self.busy.fetch_add(1, Ordering::Relaxed) + 1;
        self.most.fetch_max(busy, Ordering::Relaxed);
        cx.sleep(Duration::from_millis(300)).await;
        self.busy.fetch_sub(1, Ordering::Relaxed);
        if job.file.starts_with("waves") && cx.attempt() == 1 {
            return Err(Fault::new("OutOfMemory", "too many pictures at the same time"));
        }
        let light = picture(&job.file)
            .ok_or_else(|| Fault::new("Damaged", format!("file {} of the album ends too early", job.number)))?;
        Ok(Thumbnail { rows: draw(light, job.width.clamp(4, 80)), file: job.file, made: true })
    }
}

/// The brightness at a point of a picture. The coordinates and the result are from 0 to 1.
type Light = fn(f64, f64) -> f64;

/// Returns a picture: the brightness at every point. `None` if the file is not a picture.
fn picture(file: &str) -> Option<Light> {
    let name = file.split('.').next().unwrap_or(file);
    Some(match name {
        "hill" => |x, y| if y > 1.0 - 0.7 * (x * 3.0).sin().abs() { 0.9 } else { 0.1 },
        "sun" => |x, y| 1.0 - 1.6 * (x - 0.5).hypot(y - 0.5),
        "waves" => |x, y| 0.5 + 0.5 * (12.0 * y + 2.0 * (9.0 * x).sin()).sin(),
        "moon" => |x, y| if (x - 0.5).hypot(y - 0.5) < 0.4 && (x - 0.7).hypot(y - 0.4) > 0.35 { 1.0 } else { 0.0 },
        "tent" => |x, y| if y > 2.0 * (x - 0.5).abs() { 0.2 + 0.6 * y } else { 0.0 },
        _ => return None,
    })
}

/// Draws a picture with characters, which are twice as high as wide.
fn draw(light: Light, width: u32) -> Vec<String> {
    const SHADES: [char; 6] = [' ', '.', ':', '+', '#', '@'];
    let height = (width / 2).max(1);
    let middle = |at: u32, of: u32| (f64::from(at) + 0.5) / f64::from(of);
    let shade = |light: f64| SHADES[((light * SHADES.len() as f64) as usize).min(SHADES.len() - 1)];
    let row = |y| (0..width).map(|x| shade(light(middle(x, width), middle(y, height)))).collect();
    (0..height).map(row).collect()
}
