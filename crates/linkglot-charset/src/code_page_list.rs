//! The single-byte charsets beyond the Encoding Standard: names and labels. Data only.

use crate::byte_table::ByteTable;
use crate::code_pages;
use crate::codec::Spec;
use crate::single::Single;

/// Declares a [`Spec`] for each row, whose codec is made from the table of the same name.
macro_rules! code_pages {
    ($($codec:ident { $($charset:ident $name:literal $labels:literal;)* })*) => {
        $($(pub(crate) static $charset: Spec = Spec {
            name: $name,
            labels: $labels,
            is_unicode: false,
            codec: {
                static CODEC: $codec = $codec::of_table(code_pages::$charset);
                &CODEC
            },
        };)*)*
        pub(crate) static ALL: [&Spec; [$($($name),*),*].len()] = [$($(&$charset),*),*];
    };
}

code_pages! {
    // Supersets of ASCII, scanned as the bytes that they are.
    Single {
        IBM437 "IBM437" "437 cp437 cspc8codepage437 ibm437";
        IBM720 "IBM720" "720 cp720 dos-720 ibm720";
        IBM737 "IBM737" "737 cp737 ibm737";
        IBM775 "IBM775" "775 cp775 cspc775baltic ibm775";
        IBM850 "IBM850" "850 cp850 cspc850multilingual ibm850";
        IBM852 "IBM852" "852 cp852 cspcp852 ibm852";
        IBM855 "IBM855" "855 cp855 csibm855 ibm855";
        IBM857 "IBM857" "857 cp857 csibm857 ibm857";
        IBM00858 "IBM00858" "858 ccsid00858 cp00858 cp858 csibm00858 ibm00858 ibm858 pc-multilingual-850+euro";
        IBM860 "IBM860" "860 cp860 csibm860 ibm860";
        IBM861 "IBM861" "861 cp-is cp861 csibm861 ibm861";
        IBM862 "IBM862" "862 cp862 cspc862latinhebrew dos-862 ibm862";
        IBM863 "IBM863" "863 cp863 csibm863 ibm863";
        IBM865 "IBM865" "865 cp865 csibm865 ibm865";
        IBM869 "IBM869" "869 cp-gr cp869 csibm869 ibm869";
        CP1125 "CP1125" "1125 cp1125 cp866u ibm1125 ruscii";
        X_MAC_CE "x-mac-ce" "cp10029 mac-centraleurope maccentraleurope maclatin2 x-mac-ce x-mac-centraleurroman";
        X_MAC_GREEK "x-mac-greek" "cp10006 macgreek x-mac-greek";
        X_MAC_TURKISH "x-mac-turkish" "cp10081 macturkish x-mac-turkish";
        X_MAC_ICELANDIC "x-mac-icelandic" "cp10079 maciceland macicelandic x-mac-icelandic";
        X_MAC_CROATIAN "x-mac-croatian" "cp10082 maccroatian x-mac-croatian";
        X_MAC_ROMANIAN "x-mac-romanian" "cp10010 macromania macromanian x-mac-romanian";
        GEORGIAN_PS "Georgian-PS" "georgian-ps";
        GEORGIAN_ACADEMY "Georgian-Academy" "georgian-academy";
        KOI8_T "KOI8-T" "koi8-t";
        PTCP154 "PTCP154" "cp154 csptcp154 cyrillic-asian pt154 ptcp154";
        KZ_1048 "KZ-1048" "cskz1048 kz-1048 rk1048 strk1048-2002";
    }

    // The others are transcoded.
    ByteTable {
        ARMSCII_8 "ARMSCII-8" "armscii-8";
        VISCII "VISCII" "csviscii viscii viscii1.1-1";
        TCVN "TCVN" "tcvn tcvn-5712 tcvn5712-1 tcvn5712-1:1993";
        IBM864 "IBM864" "864 cp864 csibm864 ibm864";
        IBM037 "IBM037" "037 cp037 csibm037 ebcdic-cp-ca ebcdic-cp-nl ebcdic-cp-us ebcdic-cp-wt ibm037";
        IBM500 "IBM500" "500 cp500 csibm500 ebcdic-cp-be ebcdic-cp-ch ibm500";
        IBM1026 "IBM1026" "1026 cp1026 csibm1026 ibm1026";
        IBM1047 "IBM1047" "1047 cp1047 csibm1047 ibm1047";
        IBM01140 "IBM01140"
            "1140 ccsid01140 cp01140 cp1140 csibm01140 ebcdic-us-37+euro ibm01140 ibm1140";
    }
}
