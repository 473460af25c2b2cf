# SPDX-License-Identifier: MIT
"""report_page.py FILE: the page as lines of text, each behind the name of its section.

Cells stand between bars and marked texts between guillemets. Fails where the page has an element
or an attribute that is none of its own: what programs wrote must be text.
"""
import html.parser
import sys

LINES = "title h1 h2 h3 p li tr dt dd pre summary".split()
OTHERS = """html meta style header main section ol dl details div table colgroup col thead tbody th
    td b i code small span mark svg rect""".split()
ATTRIBUTES = "lang charset http-equiv content name class id scope colspan open viewbox preserveaspectratio x y width height".split()


class Page(html.parser.HTMLParser):
    """Its lines, its style and its policy."""

    def __init__(self):
        super().__init__()
        self.lines = []
        self.section = "page"
        self.style = ""
        self.in_style = False
        self.policy = ""

    def handle_starttag(self, tag, attrs):
        attributes = dict(attrs)
        if tag not in LINES + OTHERS or not all(name in ATTRIBUTES for name in attributes):
            sys.exit(f"the page has <{tag} {attributes}>")
        if tag == "section":
            self.section = attributes["id"]
        if tag in LINES:
            self.lines.append(f"{self.section}: ")
        if tag in ("td", "th", "mark"):
            self.lines[-1] += "«" if tag == "mark" else "|"
        if attributes.get("http-equiv") == "Content-Security-Policy":
            self.policy = attributes["content"]
        self.in_style = tag == "style"

    def handle_endtag(self, tag):
        if tag == "mark":
            self.lines[-1] += "»"
        self.in_style = False

    def handle_data(self, data):
        if self.in_style:
            self.style += data
        elif self.lines:
            self.lines[-1] += data


page = Page()
with open(sys.argv[1], encoding="utf-8") as file:
    page.feed(file.read())
if "default-src 'none'" not in page.policy:
    sys.exit("the page has no policy against what is from elsewhere")
if "url(" in page.style or "@import" in page.style:
    sys.exit("the style asks for something from elsewhere")
for line in page.lines:
    print(line.strip().replace("\u202f", " "))
