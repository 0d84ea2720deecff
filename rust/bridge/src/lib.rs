//! The cdylib that Java loads: entries, guard, handles, errors, log.
