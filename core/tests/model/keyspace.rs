//! What Redis really holds, read without delayq, in the model's words.

use std::collections::BTreeMap;

use delayq::State;
use redis::{Connection, cmd};

use super::op::IDS;
use super::state::{Body, Entry, Model, Moment};

pub fn now_ms(connection: &mut Connection) -> i64 {
    let (seconds, micros): (i64, i64) = cmd("TIME").query(connection).unwrap();
    seconds * 1000 + micros / 1000
}

pub fn index(topic: &str, state: State) -> String {
    match state {
        State::Scheduled => format!("delay:zset:{{{topic}}}"),
        State::Processing => format!("delay:processing:{{{topic}}}"),
        State::Dead => format!("delay:dlq:{{{topic}}}"),
        State::Orphan => format!("delay:zset:{{{topic}}}:orphan"),
        _ => unreachable!("{state} has no index"),
    }
}

pub fn body(topic: &str, id: &str) -> String {
    format!("delay:job:{{{topic}}}:{id}")
}

pub fn done(topic: &str, id: &str) -> String {
    format!("delay:done:{{{topic}}}:{id}")
}

const STATES: [State; 4] = [State::Scheduled, State::Processing, State::Dead, State::Orphan];

/// Compares all keys of the topic with the model, and makes the model's moments exact.
pub fn compare(connection: &mut Connection, topic: &str, own_policy: &str, model: &mut Model) {
    let mut found: BTreeMap<&'static str, Entry> = BTreeMap::new();
    for state in STATES {
        let members: Vec<(String, i64)> = cmd("ZRANGE")
            .arg(index(topic, state))
            .arg(0)
            .arg(-1)
            .arg("WITHSCORES")
            .query(connection)
            .unwrap();
        for (member, score) in members {
            let id = IDS.into_iter().find(|id| *id == member).expect("only our ids");
            let entry = found.entry(id).or_default();
            assert!(entry.place.is_none(), "{id} is in {:?} and in {state}", entry.place);
            entry.place = Some((state, Moment::exactly(score)));
        }
    }
    for id in IDS {
        let fields: BTreeMap<String, String> = cmd("HGETALL").arg(body(topic, id)).query(connection).unwrap();
        if !fields.is_empty() {
            let ttl: i64 = cmd("PTTL").arg(body(topic, id)).query(connection).unwrap();
            assert!(ttl > 6 * 24 * 3600 * 1000, "the body of {id} lives for {ttl} ms only");
            found.entry(id).or_default().body = Some(read_body(&fields, topic, own_policy));
        }
        let marker: Option<String> = cmd("GET").arg(done(topic, id)).query(connection).unwrap();
        if marker.is_some() {
            found.entry(id).or_default().done = marker;
        }
    }
    for id in IDS {
        let (expected, actual) = (model.entry(id), found.remove(id).unwrap_or_default());
        assert_eq!((&expected.body, &expected.done), (&actual.body, &actual.done), "{id}");
        assert_eq!(expected.state(), actual.state(), "{id}");
        if let (Some((_, moment)), Some((_, real))) = (&mut expected.place, actual.place) {
            assert!(moment.holds(real.from), "{id} has the score {}, not within {moment:?}", real.from);
            *moment = real;
        }
    }
}

fn read_body(fields: &BTreeMap<String, String>, topic: &str, own_policy: &str) -> Body {
    let number = |name: &str| fields.get(name).map(|text| text.parse::<i64>().unwrap());
    assert_eq!(fields["topic"], topic);
    assert!(number("created_at").is_some());
    assert_eq!(fields.contains_key("lease"), fields.contains_key("picked_at"));
    if let Some(policy) = fields.get("retry_policy") {
        assert_eq!(policy, own_policy);
    }
    Body {
        payload: fields["payload"].parse().unwrap(),
        retry_count: number("retry_count").map(|n| n as u32),
        deliveries: number("deliveries").map(|n| n as u32),
        due_at: number("due_at"),
        lease: fields.get("lease").cloned(),
        last_error: fields.get("last_error").cloned(),
        own_policy: fields.contains_key("retry_policy"),
    }
}
