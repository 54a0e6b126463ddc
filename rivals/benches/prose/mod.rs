//! Running text for benchmarks, written for them: letters as people write them, in the charsets of their time, with a
//! link every few hundred bytes.

/// A text that is repeated with a number in place of each `{}`.
pub struct Prose {
    /// The name of the text.
    pub name: &'static str,
    /// Charsets of the web that can hold the text, apart from UTF-8.
    #[allow(dead_code)]
    pub charsets: &'static [&'static str],
    paragraphs: &'static [&'static str],
}

impl Prose {
    /// About this number of bytes of the text in UTF-8.
    pub fn text(&self, bytes: usize) -> String {
        let mut text = String::with_capacity(bytes + 4096);
        let mut number = 0;
        while text.len() < bytes {
            for paragraph in self.paragraphs {
                number += 1;
                text.push_str(&paragraph.replace("{}", &number.to_string()));
            }
        }
        text
    }
}

/// English mail: ASCII, headers, quoted lines, sentences, versions, times.
#[allow(dead_code)]
pub const MAIL: Prose = Prose {
    name: "mail",
    charsets: &[],
    paragraphs: &[
        "On Tue, 3 Feb 2026 at 10:42, Ada wrote:\n> Thanks for the notes. I have read them twice, and I think that\n> the second draft is much better than the first (see below).\n\nThe minutes are at https://lists.example.org/archive/2026/02/msg{}.html, and\nthe agenda for the next meeting will follow. Please send corrections until\nFriday. Nobody has objected so far; that is a good sign, or nobody has read it.\n",
        "If you need the figures, ask for them. They are in the usual place, as ever.\nThe slides are on www.example.com/talks/{} for a week. We met at 9:30, that\nis to say at 9:50: the train was late, the room was locked, the key was gone.\n\nRegards,\nBob <bob@example.org>\n-- \nThe quick brown fox jumps over the lazy dog. It was not amused. Version 2.1 is out.\n\n",
        "Subject: Re: the build\nMessage-ID: <{}@mail.example.net>\n\nIt fails since yesterday (error: expected a number, found a blank). The log\nis long, so here is the end of it: http://ci.example.net/jobs/{}?tail=100#end.\nI have not looked at the rest... Could you? It is not urgent, but nice to have.\n\n",
        "Dear all,\n\nthe library has moved. The old address still works, for a while: please change\nyour bookmarks to \"https://library.example.edu/catalogue/{}\" before summer.\nBooks that are due on 1.7. may be brought back until the 15th. Reading room and\nshop stay closed on Mondays, i.e. also on the 6th. Questions, praise, complaints,\nlost umbrellas, suggestions for new books: all of them to the desk on the ground\nfloor, as always. It has been a pleasure. Or as they say here, so long.\n\n",
    ],
};

/// Japanese without spaces; the links are ASCII, some of them glued to the words.
pub const JAPANESE: Prose = Prose {
    name: "Japanese",
    charsets: &["shift_jis", "euc-jp"],
    paragraphs: &[
        "先日の会議の議事録を公開しました。内容をご確認ください。訂正がある場合は、金曜日までにご連絡をお願いいたします。資料は https://www.example.jp/docs/{}.html にあります。前回の議論の続きは来週の月曜日に行う予定です。\n",
        "場所は未定ですが、決まり次第お知らせいたします。質問があれば遠慮なくどうぞ。皆様のご参加をお待ちしております。\n昨年の記録はhttp://archive.example.org/{}/、写真も何枚かあります。ただし、画質はあまりよくありません。\n",
    ],
};

/// Japanese with links in its own script.
pub const JAPANESE_IRIS: Prose = Prose {
    name: "Japanese, IRIs",
    charsets: &["shift_jis", "euc-jp"],
    paragraphs: &[
        "先日の会議の議事録を公開しました。内容をご確認ください。訂正がある場合は、金曜日までにご連絡をお願いいたします。資料は https://www.example.jp/資料/{}.html にあります。前回の議論の続きは来週の月曜日に行う予定です。\n",
        "場所は未定ですが、決まり次第お知らせいたします。質問があれば遠慮なくどうぞ。皆様のご参加をお待ちしております。\n昨年の記録は http://記録.example.org/{} で読めます。写真も何枚かあります。ただし、画質はあまりよくありません。\n",
    ],
};

/// Chinese without spaces; the links are ASCII, some of them glued to the words.
pub const CHINESE: Prose = Prose {
    name: "Chinese",
    charsets: &["gb18030", "gbk"],
    paragraphs: &[
        "昨天我们公布了会议记录。请大家检查内容，并在星期五之前提出修改意见。文件在 http://www.example.cn/docs/{}.html 可以下载。下次会议将在下周一举行，地点尚未确定，确定之后会另行通知。\n",
        "如果有问题，请随时联系我们。谢谢大家的支持和参与。去年的记录在https://archive.example.org/{}/，照片也在那里。不过，照片不太清楚。我们以后会换更好的。\n",
    ],
};

/// Chinese with links in its own script.
pub const CHINESE_IRIS: Prose = Prose {
    name: "Chinese, IRIs",
    charsets: &["gb18030", "gbk"],
    paragraphs: &[
        "昨天我们公布了会议记录。请大家检查内容，并在星期五之前提出修改意见。文件在 http://www.example.cn/文件/{}.html 可以下载。下次会议将在下周一举行，地点尚未确定，确定之后会另行通知。\n",
        "如果有问题，请随时联系我们。谢谢大家的支持和参与。去年的记录在 https://记录.example.org/{} 那里，照片也在那里。不过，照片不太清楚。我们以后会换更好的。\n",
    ],
};

/// Chinese of Taiwan; the links are ASCII, some of them glued to the words.
#[allow(dead_code)]
pub const TAIWANESE: Prose = Prose {
    name: "Chinese of Taiwan",
    charsets: &["big5"],
    paragraphs: &[
        "昨天我們公布了會議記錄。請大家檢查內容，並在星期五之前提出修改意見。文件在 http://www.example.tw/docs/{}.html 可以下載。下次會議將在下週一舉行，地點尚未確定，確定之後會另行通知。\n",
        "如果有問題，請隨時聯絡我們。謝謝大家的支持和參與。去年的記錄在https://archive.example.org/{}/，照片也在那裡。不過，照片不太清楚。我們以後會換更好的。\n",
    ],
};

/// Russian; the links are ASCII.
pub const RUSSIAN: Prose = Prose {
    name: "Russian",
    charsets: &["windows-1251", "koi8-r"],
    paragraphs: &[
        "Вчера мы опубликовали протокол заседания. Пожалуйста, проверьте его и пришлите исправления до пятницы. Документы лежат по адресу http://www.example.ru/docs/{}.html, как обычно. Следующее заседание состоится в понедельник, место пока неизвестно, но мы сообщим о нём заранее.\n",
        "Если у вас есть вопросы, спрашивайте. Прошлогодний протокол можно прочитать здесь: https://archive.example.org/{}/. Там же есть и фотографии, но качество у них не очень хорошее. В следующий раз мы возьмём другую камеру. До встречи!\n",
    ],
};

/// Russian with links in its own script.
pub const RUSSIAN_IRIS: Prose = Prose {
    name: "Russian, IRIs",
    charsets: &["windows-1251", "koi8-r"],
    paragraphs: &[
        "Вчера мы опубликовали протокол заседания. Пожалуйста, проверьте его и пришлите исправления до пятницы. Документы лежат по адресу http://www.example.ru/документы/{}.html, как обычно. Следующее заседание состоится в понедельник, место пока неизвестно, но мы сообщим о нём заранее.\n",
        "Если у вас есть вопросы, спрашивайте. Прошлогодний протокол можно прочитать здесь: https://архив.example.org/{}/. Там же есть и фотографии, но качество у них не очень хорошее. В следующий раз мы возьмём другую камеру. До встречи!\n",
    ],
};

/// Korean; the links are ASCII, some of them with a particle glued to them.
pub const KOREAN: Prose = Prose {
    name: "Korean",
    charsets: &["euc-kr"],
    paragraphs: &[
        "어제 회의록을 공개했습니다. 내용을 확인해 주십시오. 고칠 것이 있으면 금요일까지 알려 주시기 바랍니다. 자료는 http://www.example.kr/docs/{}.html 에 있습니다. 다음 회의는 다음 주 월요일에 열립니다.\n",
        "장소는 아직 정해지지 않았지만 정해지는 대로 알려 드리겠습니다. 작년 기록은 https://archive.example.org/{}/에서 읽을 수 있습니다. 사진도 몇 장 있지만 화질은 그다지 좋지 않습니다.\n",
    ],
};
