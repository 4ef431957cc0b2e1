//! Names of all games, and names that are refused.

use super::*;

#[test]
fn every_variant_is_found_by_its_name() {
    let all = Variant::all();
    for (game, variants) in [
        ("gomoku", 8),
        ("renju", 13),
        ("pente", 21),
        ("connect6", 6),
        ("four-in-a-row", 8),
        ("irensei", 1),
    ] {
        let of_game = all.iter().filter(|variant| variant.sheet().name == game);
        assert_eq!(of_game.count(), variants, "{game}");
    }
    assert!(RuleId::ALL.iter().all(|&rule| all.contains(&Variant::Five(rule))));
    // A card names the options in the same way as the game.
    for rule in RuleId::ALL.into_iter().filter(|rule| !rule.is_plain()) {
        assert_eq!(Variant::Five(rule).to_string(), rule.name());
    }
    for variant in all {
        assert_eq!(Variant::from_name(&variant.to_string()), Ok(variant));
        assert_eq!(variant.plain().sheet().name, variant.sheet().name);
    }
    for id in OpeningId::ALL {
        assert_eq!(OpeningId::from_name(id.name()), Some(id));
    }
    for name in [
        "soosyrv-8",
        "Soosyrv8",
        "soosorv8",
        "SOOSORV 8",
        "soos\u{f5}rv-8",
        "Soos\u{f5}rv-8",
        "SOOS\u{d5}RV-8",
        "soos\u{f5}rv8",
        "Sooso\u{303}rv-8",
        "SOOSO\u{303}RV_8",
        "soos\u{fffd}rv-8",
    ] {
        assert_eq!(OpeningId::from_name(name), Some(OpeningId::Soosorv8), "{name}");
    }
    for name in ["", "8", "soos\u{f5}rv", "castling"] {
        assert_eq!(OpeningId::from_name(name), None, "{name}");
    }
    assert_eq!(Variant::from_name("Keryo-Pente"), Variant::from_name("pente+keryo"));
    assert!(Variant::from_name("taraguchi-10").is_err());
    assert_eq!(Variant::from_name("Standard"), Ok(Variant::Five(RuleId::Standard)));
    let keryo = Variant::from_name("pente+capture-2-3").unwrap();
    assert_eq!(keryo.to_string(), "pente+keryo");
    for name in ["renju+overline", "Renju+Overline-Allowed"] {
        let renju = Variant::from_name(name).unwrap();
        assert_eq!(renju, Variant::Five(RuleId::RenjuOverline));
        assert_eq!(renju.to_string(), "renju+overline");
        assert_eq!(Contest::new(renju).opening, OpeningId::Centre);
    }
}

#[test]
fn options_of_five_in_a_row_combine_in_any_order() {
    for (text, name) in [
        ("gomoku+white-full+free-pass", "gomoku+free-pass+white-full"),
        (
            "gomoku+double-three-for-both+free-pass+white-full",
            "gomoku+free-pass+white-full+double-three-both",
        ),
        ("renju+early+overline", "renju+overline+early"),
        ("renju+fouls-both+early+overline", "renju+overline+early+fouls-both"),
        ("renju+overline+overline", "renju+overline"),
        ("renju+rules-of-1912", "renju+1912"),
        ("Renju 1916", "renju+1916"),
        ("Renju-1918", "renju+early"),
    ] {
        assert_eq!(Variant::from_name(text).unwrap().to_string(), name);
    }
    let game = |name: &str| Contest::new(Variant::from_name(name).unwrap());
    for (name, side) in [
        ("gomoku+free-pass+white-full", 15),
        ("renju+overline+fouls-both", 15),
        ("renju+overline+early+fouls-both", 19),
        ("renju+1899", 19),
        ("renju+1916", 19),
    ] {
        assert_eq!((game(name).width, game(name).height), (side, side), "{name}");
    }
    // The rules of a year are a complete set and exclude other options.
    for name in ["renju+1903+overline", "renju+early+1912", "renju+1899+1916"] {
        assert!(
            Variant::from_name(name).unwrap_err().to_string().contains("excludes an option"),
            "{name}"
        );
    }
}

#[test]
fn errors_say_what_is_wrong_with_a_name() {
    let error = |text| Variant::from_name(text).unwrap_err().to_string();
    assert!(error("chess").starts_with("there is no game \"chess\""));
    assert_eq!(error("renju+keryo"), "renju has no option \"keryo\"");
    assert!(error("connect6+collinear+noncollinear").contains("excludes an option"));
    let renju = Contest::new(Variant::Five(RuleId::Renju));
    assert!(renju.opened(OpeningId::Swap3rd).is_err());
    assert!(renju.opened(OpeningId::Rif).is_ok() && renju.on(27, 15).is_err());
    assert!(Contest::new(Variant::Irensei(Irensei)).on(9, 9).is_err());
    let pro = Contest::new(Variant::Five(RuleId::Standard));
    assert!(pro.on(5, 5).is_err() && pro.on(6, 6).is_ok());
    assert!(pro.opened(OpeningId::LongPro).unwrap().on(7, 7).is_err());
    let torus = Contest::new(Variant::from_name("connect6+torus").unwrap());
    assert!(torus.on(5, 5).is_err() && torus.on(6, 6).is_ok());
}
