//! Messages of a file that shows every kind of field, written by hand.

use proptest::prelude::*;
use prost_reflect::prost::Message;
use prost_reflect::{DescriptorPool, DynamicMessage};
use sluice_testkit::arbitrary::choices::Choices;
use sluice_testkit::arbitrary::stream;

use crate::agreement;
use crate::proto3::Files;
use crate::values;

const SHOP: &str = r#"
    syntax = "proto3";
    package shop;
    import "google/protobuf/timestamp.proto";
    enum State { NEW = 0; PAID = 1; REFUNDED = 5; GONE = -1; }
    message Order {
      int64 id = 1;
      optional string note = 2;
      repeated Line line = 3;
      map<string, Line> by_sku = 4;
      map<int32, State> states = 5;
      State state = 6;
      google.protobuf.Timestamp at = 7;
      oneof payment { Card card = 8; string voucher = 9; State waived = 10; }
      repeated google.protobuf.Timestamp seen = 11;
      message Card { fixed64 number = 1; uint32 month = 2; bool valid = 3; }
    }
    message Line { string sku = 1; sint32 count = 2; double price = 3; repeated Line parts = 4; }
    message Scalars {
      double a = 1; float b = 2; int32 c = 3; int64 d = 4; uint32 e = 5; uint64 f = 6;
      sint32 g = 7; sint64 h = 8; fixed32 i = 9; fixed64 j = 10; sfixed32 k = 11;
      sfixed64 l = 12; bool m = 13; string n = 14; bytes o = 15; State p = 16;
      optional double q = 17; optional bytes r = 2047; optional State s = 536870911;
    }
    message Lists {
      repeated double a = 1; repeated float b = 2; repeated int32 c = 3; repeated int64 d = 4;
      repeated uint32 e = 5; repeated uint64 f = 6; repeated sint32 g = 7; repeated bool h = 8;
      repeated string i = 9; repeated bytes j = 10; repeated State k = 11;
      repeated fixed32 l = 12 [packed = false]; repeated sint64 m = 13 [packed = false];
      map<bool, bytes> n = 14; map<uint64, double> o = 15; map<string, string> p = 16;
    }
"#;

fn pool() -> DescriptorPool {
    Files(vec![("shop.proto".to_owned(), SHOP.to_owned())]).link()
}

proptest! {
    /// What prost-reflect encodes, the codec decodes to the values that went in.
    #[test]
    fn values_come_back(
        name in prop::sample::select(vec!["shop.Order", "shop.Scalars", "shop.Lists"]),
        columns in stream(80),
        values in stream(300),
    ) {
        let descriptor = pool().get_message_by_name(name).expect("a message of the file");
        let schema = sluice_schema::resolve(&descriptor);
        let row = agreement::row(&mut Choices::new(&columns), &schema);
        let mut message = DynamicMessage::new(descriptor);
        values::fill(&values, &schema, &mut message);
        agreement::check(&message, &row, &message.encode_to_vec(), name)?;
    }
}
