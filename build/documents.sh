#!/bin/sh
# Makes the documents that the tests of backend/tool/document/extract read, and what
# must be found in them: testdata/files and testdata/expected, from testdata/sources.
# The results are committed, so that a test needs none of these programs: LibreOffice
# (Writer, Calc, Impress and python3-uno), pdfLaTeX and XeLaTeX with ctex, Chromium,
# poppler-utils, qpdf, ImageMagick, zip, perl, Liberation fonts and the Noto CJK fonts.
set -eu
cd "$(dirname "$0")/../backend/tool/document/extract/testdata"

# Python has to be the one that LibreOffice's module uno is installed for.
python=${PYTHON:-/usr/bin/python3}
for program in soffice pdflatex xelatex chromium pdftotext pdftoppm qpdf convert zip perl iconv "$python"; do
	if ! command -v "$program" >/dev/null 2>&1; then
		echo "error: $program is missing" >&2
		exit 1
	fi
done

scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
trap 'exit 130' INT TERM
# Neither a name nor the time goes into a file, as far as programs allow it.
export HOME="$scratch" TZ=UTC LC_ALL=C.UTF-8 SOURCE_DATE_EPOCH=1742256000 FORCE_SOURCE_DATE=1
rm -rf files expected
mkdir files expected

# office JOB... lets LibreOffice do what standard input lists, a job a line.
cat >"$scratch/office.py" <<'END'
import csv, json, os, shutil, subprocess, sys, time
import xml.etree.ElementTree as tree
import uno
from com.sun.star.beans import NamedValue, PropertyValue

scratch = sys.argv[1]
filters = {
    "text": {"docx": "MS Word 2007 XML", "odt": "writer8", "rtf": "Rich Text Format", "doc": "MS Word 97",
             "epub": "EPUB", "pdf": "writer_pdf_Export", "flat": "OpenDocument Text Flat XML"},
    "sheet": {"xlsx": "Calc MS Excel 2007 XML", "ods": "calc8", "xls": "MS Excel 97", "pdf": "calc_pdf_Export"},
    "slides": {"pptx": "Impress MS PowerPoint 2007 XML", "odp": "impress8", "ppt": "MS PowerPoint 97",
               "pdf": "impress_pdf_Export", "flat": "OpenDocument Presentation Flat XML"},
}


def properties(**values):
    return tuple(PropertyValue(Name=name, Value=value) for name, value in values.items())


def start():
    pipe = "documents%d" % os.getpid()
    process = subprocess.Popen(
        ["soffice", "-env:UserInstallation=file://%s/office" % scratch, "--headless", "--norestore",
         "--accept=pipe,name=%s;urp;" % pipe], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    here = uno.getComponentContext()
    resolver = here.ServiceManager.createInstanceWithContext("com.sun.star.bridge.UnoUrlResolver", here)
    for _ in range(300):
        try:
            context = resolver.resolve("uno:pipe,name=%s;urp;StarOffice.ComponentContext" % pipe)
            return process, context
        except Exception:
            if process.poll() not in (None, 81):
                break
            time.sleep(0.2)
    raise SystemExit("error: LibreOffice does not start")


def url(path):
    return uno.systemPathToFileUrl(os.path.abspath(path))


def kind(document):
    for name, service in (("text", "text.GenericTextDocument"), ("sheet", "sheet.SpreadsheetDocument"),
                          ("slides", "presentation.PresentationDocument")):
        if document.supportsService("com.sun.star." + service):
            return name
    raise SystemExit("error: a document of another kind")


def load(path, **more):
    if path.endswith(".csv"):
        # Comma, quote, UTF-8, from the first row; numbers and dates are known as such.
        more = dict(more, FilterName="Text - txt - csv (StarCalc)", FilterOptions="44,34,76,1,,2057,false,true")
    if path.endswith((".html", ".xhtml")):
        more = dict(more, FilterName="HTML (StarWriter)")
    document = desktop.loadComponentFromURL(url(path), "_blank", 0, properties(Hidden=True, **more))
    if document is None:
        raise SystemExit("error: LibreOffice cannot open " + path)
    return document


def convert(source, target, password=None, more=None):
    document = load(source)
    if kind(document) == "sheet":
        document.calculateAll()
    extension = target.rsplit(".", 1)[1]
    options = {"FilterName": filters[kind(document)][extension]}
    if password and extension in ("docx", "xlsx", "pptx"):
        options["EncryptionData"] = uno.Any("[]com.sun.star.beans.NamedValue", (
            NamedValue("CryptoType", "Standard"), NamedValue("OOXPassword", password)))
    elif password:
        options["Password"] = password
    if more:
        options["FilterData"] = uno.Any("[]com.sun.star.beans.PropertyValue", properties(**more))
    document.storeToURL(url(target), properties(**options))
    document.close(True)


def lines(text):
    return [line.strip() for line in text.lstrip("\ufeff").splitlines() if line.strip()]


def write(path, found):
    with open(path, "w", encoding="utf-8") as file:
        file.write("\n".join(found) + "\n")


# The running text as if all changes were accepted, then footnotes, text boxes, comments.
def text(source, target):
    document = load(source)
    if document.supportsService("com.sun.star.text.TextDocument"):
        dispatcher = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.DispatchHelper", context)
        dispatcher.executeDispatch(document.CurrentController.Frame, ".uno:AcceptAllTrackedChanges", "", 0, ())
    plain = os.path.join(scratch, "plain.txt")
    document.storeToURL(url(plain), properties(FilterName="Text (encoded)", FilterOptions="UTF8,LF"))
    with open(plain, encoding="utf-8-sig") as file:
        found = lines(file.read())
    for notes in (document.Footnotes, document.Endnotes):
        for i in range(notes.Count):
            found += lines(notes.getByIndex(i).String)
    boxes = []
    for name in document.TextFrames.ElementNames:
        boxes += lines(document.TextFrames.getByName(name).String)
    shapes = document.DrawPage
    for i in range(shapes.Count):
        shape = shapes.getByIndex(i)
        if shape.supportsService("com.sun.star.drawing.Text") and not shape.supportsService("com.sun.star.text.TextFrame"):
            boxes += lines(shape.String)
    found += boxes
    fields = document.TextFields.createEnumeration()
    comments = []
    while fields.hasMoreElements():
        field = fields.nextElement()
        if field.supportsService("com.sun.star.text.textfield.Annotation"):
            comments.append((field.Anchor, lines(field.Content)))
    # The fields come in no order of their own.
    order = document.Text
    for i in range(len(comments)):
        for j in range(i + 1, len(comments)):
            if order.compareRegionStarts(comments[i][0], comments[j][0]) < 0:
                comments[i], comments[j] = comments[j], comments[i]
    for _, comment in comments:
        found += comment
    write(target, found)
    document.close(True)


# Every slide, hidden ones too: title, text and tables, then the notes; a form feed between slides.
def slides(source, target):
    document = load(source)
    found = []

    def shape_text(shape):
        if shape.ShapeType == "com.sun.star.drawing.GroupShape":
            return [line for i in range(shape.Count) for line in shape_text(shape.getByIndex(i))]
        if shape.ShapeType == "com.sun.star.drawing.TableShape":
            model = shape.Model
            return [line for row in range(model.RowCount) for column in range(model.ColumnCount)
                    for line in lines(model.getCellByPosition(column, row).String)]
        if not hasattr(shape, "String") or getattr(shape, "IsEmptyPresentationObject", False):
            return []
        return lines(shape.String)

    for i in range(document.DrawPages.Count):
        page = document.DrawPages.getByIndex(i)
        slide = []
        for j in range(page.Count):
            slide += shape_text(page.getByIndex(j))
        notes = page.NotesPage
        for j in range(notes.Count):
            shape = notes.getByIndex(j)
            if shape.ShapeType == "com.sun.star.presentation.NotesShape":
                slide += shape_text(shape)
        found.append("\n".join(slide))
    with open(target, "w", encoding="utf-8") as file:
        file.write("\n\f".join(found) + "\n")
    document.close(True)


def dumped(rows):
    return "[\n" + ",\n".join(json.dumps(row, ensure_ascii=False) for row in rows) + "\n]"


# Every sheet, hidden ones too, with the cells as they are shown; of a long one, how many rows
# there are and the first thousand.
def sheets(source, target):
    document = load(source)
    names = list(document.Sheets.ElementNames)
    folder = os.path.join(scratch, "sheets")
    shutil.rmtree(folder, ignore_errors=True)
    os.mkdir(folder)
    document.storeToURL(url(os.path.join(folder, "book.csv")), properties(
        FilterName="Text - txt - csv (StarCalc)", FilterOptions="44,34,76,1,,0,false,true,true,false,false,-1"))
    document.close(True)
    result = []
    for name in names:
        with open(os.path.join(folder, "book-%s.csv" % name), encoding="utf-8", newline="") as file:
            rows = list(csv.reader(file))
            result.append('{"name": %s, "total": %d, "rows": %s}' % (
                json.dumps(name, ensure_ascii=False), len(rows), dumped(rows[:1000])))
    with open(target, "w", encoding="utf-8") as file:
        file.write('{"sheets": [\n' + ",\n".join(result) + "\n]}\n")


# Every table in the order of their beginnings. A cell that another one covers is empty; a table
# within a cell is one of its own and not in the cell's text.
def tables(source, target):
    flat = source
    if not source.endswith((".fodt", ".fodp")):
        flat = os.path.join(scratch, "tables.flat")
        convert(source, flat)
    names = {"table": "urn:oasis:names:tc:opendocument:xmlns:table:1.0",
             "text": "urn:oasis:names:tc:opendocument:xmlns:text:1.0"}
    name = lambda space, local: "{%s}%s" % (names[space], local)

    def paragraph(node):
        result = node.text or ""
        for child in node:
            if child.tag == name("text", "line-break"):
                result += "\n"
            elif child.tag == name("text", "tab"):
                result += "\t"
            elif child.tag == name("text", "s"):
                result += " " * int(child.get(name("text", "c"), 1))
            elif child.tag != name("text", "note"):
                result += paragraph(child)
            result += child.tail or ""
        return result

    def paragraphs(node):
        result = []
        for child in node:
            if child.tag in (name("text", "p"), name("text", "h")):
                result.append(paragraph(child))
            elif child.tag != name("table", "table"):
                result += paragraphs(child)
        return result

    def rows(node):
        result = []
        for child in node:
            if child.tag == name("table", "table-row"):
                row = []
                for cell in child:
                    if cell.tag == name("table", "covered-table-cell"):
                        row += [""] * int(cell.get(name("table", "number-columns-repeated"), 1))
                    elif cell.tag == name("table", "table-cell"):
                        shown = "\n".join(paragraphs(cell)).strip()
                        row += [shown] * int(cell.get(name("table", "number-columns-repeated"), 1))
                result.append(row)
            elif child.tag in (name("table", "table-header-rows"), name("table", "table-rows")):
                result += rows(child)
        return result

    found = [dumped(rows(node)) for node in tree.parse(flat).iter(name("table", "table"))]
    if not found:
        raise SystemExit("error: no tables in " + source)
    with open(target, "w", encoding="utf-8") as file:
        file.write('{"tables": [\n' + ",\n".join('{"rows": %s}' % table for table in found) + "\n]}\n")


process, context = start()
desktop = context.ServiceManager.createInstanceWithContext("com.sun.star.frame.Desktop", context)
try:
    for line in sys.stdin:
        words = line.split()
        if not words:
            continue
        job, source, target = words[0], words[1], words[2]
        if job == "convert":
            convert(source, target)
        elif job == "protect":
            convert(source, target, password="Birch-42")
        elif job == "archive":
            convert(source, target, more={"SelectPdfVersion": 2})
        else:
            {"text": text, "slides": slides, "sheets": sheets, "tables": tables}[job](source, target)
finally:
    try:
        desktop.terminate()
    except Exception:
        pass
    try:
        process.wait(30)
    except subprocess.TimeoutExpired:
        process.kill()
END
office() {
	"$python" "$scratch/office.py" "$scratch"
}

# Two sheets that are too large to be written by hand.
perl -e '
	srand(7);
	my @items = ("hinge", "bolt M8", "washer", "bracket", "oak dowel", "wood glue, 1 l", "sandpaper 120", "varnish", "cord | 5 m", "hook");
	print "Number,Date,Item,Pieces,Price,Paid\n";
	for my $i (1 .. 20000) {
		my $item = $items[($i * 7 + int($i / 13)) % 10];
		$item = "\"$item\"" if $item =~ /,/;
		printf "%d,2024-%02d-%02d,%s,%d,%d.%02d,%s\n", $i, 1 + int($i / 1700) % 12, 1 + $i % 28, $item,
			1 + ($i * 11) % 40, 1 + ($i * 3) % 25, ($i % 4) * 25, $i % 5 ? "yes" : "no";
	}' >"$scratch/long-en.csv"
perl -e '
	print join(",", "Station", map { sprintf "Day %d", $_ } 1 .. 299), "\n";
	for my $row (1 .. 19) {
		print join(",", "S-$row", map { ($row * $_) % 17 ? sprintf("%.1f", 4 + $row / 2 + ($_ * 7 % 60) / 10) : "" } 1 .. 299), "\n";
	}' >"$scratch/wide-en.csv"

# What LibreOffice writes.
office <<END
convert sources/letter-en.fodt files/letter-en.pdf
convert sources/letter-en.fodt files/letter-en.rtf
convert sources/letter-en.fodt files/letter-en.doc
convert sources/contract-en.fodt files/contract-en.docx
convert sources/contract-zh.fodt files/contract-zh.pdf
convert sources/contract-zh.fodt files/contract-zh.docx
convert sources/contract-zh.fodt files/contract-zh.odt
convert sources/notice-zh.fodt files/notice-zh.rtf
convert sources/invoice-de.fodt files/invoice-de.pdf
convert sources/invoice-de.fodt files/invoice-de.docx
convert sources/report-en.fodt files/report-en.pdf
convert sources/report-en.fodt files/report-en.docx
convert sources/report-en.fodt files/report-en.odt
archive sources/contract-en.fodt files/archive-en.pdf
convert sources/form-en.fodt files/form-en.pdf
convert sources/changes-en.fodt files/changes-en.docx
convert sources/changes-en.fodt files/changes-en.odt
convert sources/boxes-en.fodt files/boxes-en.docx
convert sources/book-en.fodt files/book-en.epub
protect sources/letter-en.fodt files/protected.docx
protect sources/letter-en.fodt files/protected.odt
convert sources/accounts-en.fods files/accounts-en.xlsx
convert sources/accounts-en.fods files/accounts-en.ods
convert sources/accounts-en.fods files/accounts-en.xls
convert sources/accounts-en.fods files/accounts-en.pdf
protect sources/accounts-en.fods files/protected.xlsx
convert sources/orders-zh.fods files/orders-zh.xlsx
convert $scratch/long-en.csv files/long-en.xlsx
convert $scratch/wide-en.csv files/wide-en.xlsx
convert sources/slides-en.fodp files/slides-en.pptx
convert sources/slides-en.fodp files/slides-en.odp
convert sources/slides-zh.fodp files/slides-zh.ppt
convert sources/slides-en.fodp files/slides-en.pdf
convert sources/slides-zh.fodp files/slides-zh.pptx
END

# What TeX writes. The second run knows the numbers of the first.
for name in paper-en maths-en article-zh; do
	tex=pdflatex
	[ $name = article-zh ] && tex=xelatex
	for run in first second; do
		if ! $tex -interaction=nonstopmode -halt-on-error -output-directory="$scratch" sources/$name.tex >"$scratch/said" 2>&1; then
			cat "$scratch/said" >&2
			echo "error: the $run run of $tex on $name failed" >&2
			exit 1
		fi
	done
	cp "$scratch/$name.pdf" files/
done

# What Chromium prints.
for name in page-en page-zh columns-en; do
	chromium --headless --no-sandbox --user-data-dir="$scratch/chromium" --no-pdf-header-footer \
		--print-to-pdf="files/$name.pdf" "file://$PWD/sources/$name.html" >"$scratch/said" 2>&1
done

# Pictures of pages, as a scanner makes them: a little askew, with noise, and without any text.
cat >"$scratch/pictures.py" <<'END'
import sys

target, names = sys.argv[1], sys.argv[2:]
objects = [b"<< /Type /Catalog /Pages 2 0 R >>", None]
pages = []
for name in names:
    with open(name, "rb") as file:
        picture = file.read()
    # The size is in the frame header of the JPEG file.
    at = 2
    while picture[at + 1] not in (0xC0, 0xC1, 0xC2):
        at += 2 + int.from_bytes(picture[at + 2:at + 4], "big")
    height, width = int.from_bytes(picture[at + 5:at + 7], "big"), int.from_bytes(picture[at + 7:at + 9], "big")
    content = b"q 595.28 0 0 841.89 0 0 cm /Scan Do Q"
    n = len(objects) + 1
    pages.append(b"%d 0 R" % n)
    objects.append(b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595.28 841.89] /Contents %d 0 R"
                   b" /Resources << /XObject << /Scan %d 0 R >> >> >>" % (n + 1, n + 2))
    objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(content), content))
    objects.append(b"<< /Type /XObject /Subtype /Image /Width %d /Height %d /ColorSpace /DeviceGray"
                   b" /BitsPerComponent 8 /Filter /DCTDecode /Length %d >>\nstream\n%s\nendstream"
                   % (width, height, len(picture), picture))
objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(pages), b" ".join(pages))
out = b"%PDF-1.4\n%\xe2\xe3\xcf\xd3\n"
places = []
for n, body in enumerate(objects, 1):
    places.append(len(out))
    out += b"%d 0 obj\n%s\nendobj\n" % (n, body)
start = len(out)
out += b"xref\n0 %d\n0000000000 65535 f \n" % (len(objects) + 1)
out += b"".join(b"%010d 00000 n \n" % place for place in places)
out += b"trailer\n<< /Size %d /Root 1 0 R >>\nstartxref\n%d\n%%%%EOF\n" % (len(objects) + 1, start)
with open(target, "wb") as file:
    file.write(out)
END
# scanned NAME PAGE ANGLE makes $scratch/NAME-PAGE.jpg.
scanned() {
	pdftoppm -r 100 -gray -f "$2" -l "$2" -singlefile "files/$1.pdf" "$scratch/page"
	convert "$scratch/page.pgm" -background white -rotate "$3" -gravity center -extent 827x1169 -blur 0x0.4 \
		-seed 7 -attenuate 0.15 +noise Gaussian -level 3%,97% -colorspace Gray -strip -quality 45 "$scratch/$1-$2.jpg"
}
scanned letter-en 1 1.4
scanned letter-en 2 -1.1
scanned contract-zh 1 -1.7
scanned contract-zh 2 1.2
"$python" "$scratch/pictures.py" files/scan-en.pdf "$scratch/letter-en-1.jpg" "$scratch/letter-en-2.jpg"
"$python" "$scratch/pictures.py" files/scan-zh.pdf "$scratch/contract-zh-1.jpg" "$scratch/contract-zh-2.jpg"

# What qpdf makes of these.
qpdf --deterministic-id --empty --pages files/letter-en.pdf 1 files/scan-en.pdf 2 -- files/mixed-en.pdf
qpdf --deterministic-id --rotate=+90 files/page-en.pdf files/rotated-en.pdf
qpdf --encrypt Birch-42 Owner-Birch-42 256 -- files/letter-en.pdf files/protected.pdf
qpdf --encrypt "" Owner-Birch-42 256 --print=none --modify=none -- files/letter-en.pdf files/restricted-en.pdf

# Broken files.
half() {
	head -c "$(($(wc -c <"$1") / 2))" "$1" >"$2"
}
half files/report-en.pdf files/cut.pdf
half files/report-en.docx files/cut.docx
half files/accounts-en.xlsx files/cut.xlsx
# Every place in the xref table is wrong, and so is the place of the table itself.
perl -0777 -pe 's/^(\d{10}) (\d{5}) n/sprintf "%010d %s n", $1 + 17, $2/gem; s/startxref\s+\d+/startxref\n99/' \
	files/letter-en.pdf >files/xref-en.pdf
perl -e 'srand(11); binmode STDOUT; print "%PDF-1.7\n"; print chr int rand 256 for 1 .. 20000' >files/random.pdf
: >files/empty.pdf
cp sources/page-en.html files/html.pdf

# HTML as saved by a browser, and in the encoding of older Chinese pages.
cp sources/saved-en.html files/
iconv -f UTF-8 -t GBK sources/gbk-zh.html >files/gbk-zh.html

# A book as publishers pack it: the type of the file comes first and is not compressed. Files
# in an archive have the time of the last change, so it is set.
cp -R sources/book-zh "$scratch/book"
find "$scratch/book" -exec touch -d @$SOURCE_DATE_EPOCH {} +
book=$PWD/files/book-zh.epub
(cd "$scratch/book" && zip -q -X -0 "$book" mimetype && zip -q -X -9 "$book" META-INF/container.xml OEBPS/content.opf \
	OEBPS/nav.xhtml OEBPS/style.css OEBPS/chapter1.xhtml OEBPS/chapter2.xhtml OEBPS/chapter3.xhtml OEBPS/chapter4.xhtml)

# RTF as Word writes it on a Chinese system: bytes in the code page, and \u with as many bytes
# after it as \uc says, for readers that do not know it.
cat >"$scratch/word-rtf.py" <<'END'
import sys


def bytes_of(text):
    result = ""
    for c in text:
        if c in "\\{}":
            result += "\\" + c
        elif ord(c) < 128:
            result += c
        else:
            result += "".join("\\'%02x" % b for b in c.encode("gbk"))
    return result


def unicode_of(text):
    result = ""
    for c in text:
        if ord(c) < 128:
            result += c
            continue
        code = ord(c) - 65536 if ord(c) > 32767 else ord(c)
        fallback = "".join("\\'%02x" % b for b in c.encode("gbk"))
        if len(c.encode("gbk")) == 1:
            fallback = "\\uc1\\u%d%s\\uc2 " % (code, fallback)
            result += fallback
        else:
            result += "\\u%d%s" % (code, fallback)
    return result


def paragraph(text, before="", how=bytes_of):
    return "\\pard\\plain \\ltrpar\\ql %s\\fs21\\lang1033\\langfe2052\\loch\\af0\\hich\\af0\\dbch\\f13 %s\\par\n" % (before, how(text))


def row(cells, last=False):
    result = "\\trowd \\irow0\\irowband0\\ltrrow\\ts11\\trgaph108\\trleft-108\\trbrdrt\\brdrs\\brdrw10"
    for i in range(len(cells)):
        result += "\\clvertalt\\clbrdrt\\brdrs\\brdrw10 \\clbrdrl\\brdrs\\brdrw10 \\clbrdrb\\brdrs\\brdrw10 \\clbrdrr\\brdrs\\brdrw10 \\cltxlrtb\\clftsWidth3\\clwWidth2800 \\cellx%d" % (2692 + 2800 * i)
    result += "\n\\pard\\plain \\ltrpar\\ql\\intbl\\fs21\\f13 "
    return result + "".join(bytes_of(cell) + "\\cell " for cell in cells) + "\\row\n"


def item(n, text):
    return ("{\\listtext\\pard\\plain\\fs21\\f0 %d.\\tab}\\pard\\plain \\ltrpar\\ql\\fi-420\\li420\\ls1\\fs21\\f13 %s\\par\n" % (n, bytes_of(text)))


out = r"""{\rtf1\adeflang1025\ansi\ansicpg936\uc2\adeff0\deff0\stshfdbch13\stshfloch0\stshfhich0\stshfbi0\deflang1033\deflangfe2052
{\fonttbl{\f0\froman\fcharset0\fprq2{\*\panose 02020603050405020304}Times New Roman;}{\f13\fnil\fcharset134\fprq2{\*\panose 02010600030101010101}\'cb\'ce\'cc\'e5{\*\falt SimSun};}{\f39\fnil\fcharset134\fprq2 @\'cb\'ce\'cc\'e5;}}
{\colortbl;\red0\green0\blue0;\red0\green0\blue255;}
{\stylesheet{\qj \li0\ri0\nowidctlpar\fs21\lang1033\langfe2052\loch\f0\hich\af0\dbch\af13 \snext0 Normal;}{\*\cs10 \additive Default Paragraph Font;}{\s15\qc\b\fs32 \sbasedon0 \snext0 Title;}}
{\*\listtable{\list\listtemplateid1{\listlevel\levelnfc0\levelnfcn0\leveljc0\levelfollow0\levelstartat1\levelspace0\levelindent0{\leveltext\'02\'00.;}{\levelnumbers\'01;}\fi-420\li420 }{\listname ;}\listid1001}}
{\*\listoverridetable{\listoverride\listid1001\listoverridecount0\ls1}}
{\*\rsidtbl \rsid1001\rsid2002}{\info{\title """ + bytes_of("库存盘点说明") + r"""}{\author }{\creatim\yr2025\mo3\dy18\hr9\min0}{\version1}}
\paperw11906\paperh16838\margl1800\margr1800\margt1440\margb1440\sectd \linex0
{\header \pard\plain \qr\fs18\f13 """ + bytes_of("内部资料") + r"""\par}
{\footer \pard\plain \qc\fs18 {\field{\*\fldinst { PAGE }}{\fldrslt {1}}}\par}
"""
out += paragraph("库存盘点说明", "\\s15\\qc\\b ")
out += paragraph("为了保证账实相符，公司定于3月29日至30日对全部仓库进行盘点。盘点期间停止收货和发货，紧急情况须经仓库主任批准。")
out += paragraph("请各小组按照下列步骤进行：", how=unicode_of)
out += item(1, "领取盘点表，核对货架编号；")
out += item(2, "两人一组，一人清点，一人记录；")
out += item(3, "数量不符的，换人重新清点一次。")
out += row(["仓库", "负责小组", "货架数"]) + row(["一号库", "第一组", "120"]) + row(["二号库（冷藏）", "第二组", "45"]) + row(["三号库", "第三、四组", "260"])
out += "\\pard\\plain \\ltrpar\\ql\\fs21\\f13 " + bytes_of("盘点结果请于") + "{\\b " + bytes_of("4月2日") + "}" + bytes_of("前交财务部。") \
    + "{\\rtlch\\fcs1 \\af0 \\ltrch\\fcs0 \\f0 The form is in {\\i English}, too: \\ldblquote Stock count\\rdblquote  \\endash  it\\rquote s the same sheet; caf\\u233\\'a8\\'a6.}\\par\n"
out += "\\pard\\plain \\fs21\\f13 " + unicode_of("表格下载：") + '{\\field{\\*\\fldinst { HYPERLINK "https://example.org/stock" }}{\\fldrslt {\\cf2\\ul example.org/stock}}}' + unicode_of("（龙泉路仓库另行通知）") \
    + "{\\super \\chftn}{\\footnote \\pard\\plain \\fs18\\f13 {\\super \\chftn} " + bytes_of("该仓库正在装修。") + "}\\par\n"
out += "{\\*\\shppict{\\pict\\picscalex100\\picscaley100\\picw26\\pich26\\picwgoal15\\pichgoal15\\pngblip\n89504e470d0a1a0a0000000d4948445200000001000000010802000000907753de0000000c4944415408d763f8ffff3f0005fe02fea739a3d80000000049454e44ae426082}}\n"
out += paragraph("联系人：仓储科（分机\uff18\uff10\uff12）", how=unicode_of)
out += "{\\*\\themedata 504b0304140006000800000021}{\\*\\datastore 0105000002000000}}\n"
with open(sys.argv[1], "wb") as file:
    file.write(out.replace("\n", "\r\n").encode("ascii"))
END
"$python" "$scratch/word-rtf.py" files/word-zh.rtf

# DOCX as Word writes it, with what LibreOffice writes otherwise or not at all.
cat >"$scratch/word-docx.py" <<'END'
import sys, zipfile

W = ('xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main"'
     ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'
     ' xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006"'
     ' xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing"'
     ' xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"'
     ' xmlns:wps="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"'
     ' xmlns:v="urn:schemas-microsoft-com:vml" xmlns:o="urn:schemas-microsoft-com:office:office"'
     ' xmlns:w14="http://schemas.microsoft.com/office/word/2010/wordml" mc:Ignorable="w14"')
HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
R = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/"
who = 'w:author="Fairlead" w:date="2025-03-10T10:00:00Z"'


def run(text, properties=""):
    return '<w:r w:rsidRPr="00A11B22">%s<w:t xml:space="preserve">%s</w:t></w:r>' % (
        "<w:rPr>%s</w:rPr>" % properties if properties else "", text)


def par(*runs, style="", numbered=None, level=0):
    properties = '<w:pStyle w:val="%s"/>' % style if style else ""
    if numbered is not None:
        properties += '<w:numPr><w:ilvl w:val="%d"/><w:numId w:val="%d"/></w:numPr>' % (level, numbered)
    return '<w:p w:rsidR="00C33D44" w14:paraId="%08X">%s%s</w:p>' % (
        par.count(), "<w:pPr>%s</w:pPr>" % properties if properties else "",
        "".join(r if r.startswith("<") else run(r) for r in runs))


numbers = iter(range(0x10000001, 0x20000000))
par.count = lambda: next(numbers)


def cell(content, span=0, merge=None):
    properties = '<w:tcW w:w="2000" w:type="dxa"/>'
    if span:
        properties += '<w:gridSpan w:val="%d"/>' % span
    if merge is not None:
        properties += '<w:vMerge%s/>' % (' w:val="restart"' if merge else "")
    return "<w:tc><w:tcPr>%s</w:tcPr>%s</w:tc>" % (properties, content if content.startswith("<") else par(content) if content else par())


def table(rows, columns):
    return ('<w:tbl><w:tblPr><w:tblStyle w:val="TableGrid"/><w:tblW w:w="0" w:type="auto"/></w:tblPr><w:tblGrid>%s</w:tblGrid>%s</w:tbl>'
            % ('<w:gridCol w:w="2000"/>' * columns, "".join("<w:tr>%s</w:tr>" % "".join(row) for row in rows)))


box = "".join(par(text) for text in ("Office hours: Monday to Thursday, 8 to 16.", "Closed on the last Friday of the month."))
text_box = ('<w:r><mc:AlternateContent><mc:Choice Requires="wps"><w:drawing><wp:anchor distT="0" distB="0" distL="114300" distR="114300" simplePos="0"'
            ' relativeHeight="2" behindDoc="0" locked="0" layoutInCell="1" allowOverlap="1"><wp:simplePos x="0" y="0"/><wp:positionH relativeFrom="column">'
            '<wp:posOffset>3600000</wp:posOffset></wp:positionH><wp:positionV relativeFrom="paragraph"><wp:posOffset>100000</wp:posOffset></wp:positionV>'
            '<wp:extent cx="2000000" cy="700000"/><wp:wrapSquare wrapText="bothSides"/><wp:docPr id="1" name="Text Box 1"/><wp:cNvGraphicFramePr/><a:graphic>'
            '<a:graphicData uri="http://schemas.microsoft.com/office/word/2010/wordprocessingShape"><wps:wsp><wps:cNvSpPr txBox="1"/><wps:spPr><a:xfrm>'
            '<a:off x="0" y="0"/><a:ext cx="2000000" cy="700000"/></a:xfrm><a:prstGeom prst="rect"><a:avLst/></a:prstGeom></wps:spPr><wps:txbx>'
            '<w:txbxContent>%s</w:txbxContent></wps:txbx><wps:bodyPr/></wps:wsp></a:graphicData></a:graphic></wp:anchor></w:drawing></mc:Choice>'
            '<mc:Fallback><w:pict><v:shape id="_x0000_s1026" type="#_x0000_t202" style="position:absolute;width:157pt;height:55pt"><v:textbox>'
            '<w:txbxContent>%s</w:txbxContent></v:textbox></v:shape></w:pict></mc:Fallback></mc:AlternateContent></w:r>' % (box, box))
field = lambda code, result: ('<w:r><w:fldChar w:fldCharType="begin"/></w:r><w:r><w:instrText xml:space="preserve"> %s </w:instrText></w:r>'
                              '<w:r><w:fldChar w:fldCharType="separate"/></w:r>%s<w:r><w:fldChar w:fldCharType="end"/></w:r>' % (code, run(result)))
note = '<w:r><w:rPr><w:vertAlign w:val="superscript"/></w:rPr><w:footnoteReference w:id="2"/></w:r>'
insertion = lambda n, text: '<w:ins w:id="%d" %s>%s</w:ins>' % (n, who, run(text))
deletion = lambda n, text: '<w:del w:id="%d" %s><w:r><w:delText xml:space="preserve">%s</w:delText></w:r></w:del>' % (n, who, text)
proof = '<w:proofErr w:type="spellStart"/>'

inner = table([[cell("Key"), cell("Deposit")], [cell("House"), cell("€30")], [cell("Cellar"), cell("€15")]], 2)
body = "".join([
    par("Guide for New Tenants", style="Title"),
    par("Moving in", style="Heading1"),
    par("Wel", proof + run("come"), " to Larch Court", run("!", "<w:b/>"), " This guide ", run("re"), run("places the one of 2019", "<w:i/>"), ".", text_box),
    par("You get your keys from the caretaker", note, " once the ", insertion(101, "first "), "rent", deletion(102, " and the deposit"), " ",
        deletion(103, "have"), insertion(104, "has"), " been paid. The contact is the ", '<w:sdt><w:sdtPr><w:alias w:val="Who"/></w:sdtPr><w:sdtContent>%s</w:sdtContent></w:sdt>' % run("house office"),
        ", at ", '<w:hyperlink r:id="rId9">%s</w:hyperlink>' % run("example.org/larch", "<w:u w:val=\"single\"/>"), "."),
    par("Before you move", style="ListNumber", numbered=1),
    par("read the meters and ", '<w:commentRangeStart w:id="0"/>', "note the figures", '<w:commentRangeEnd w:id="0"/><w:r><w:commentReference w:id="0"/></w:r>', numbered=1, level=1),
    par("order the lift: half a day, not more", numbered=1, level=1),
    par("On the day itself", numbered=1),
    par("keep the drive free for the fire brigade", numbered=1, level=1),
    par("Living here", style="Heading1"),
    par("Quiet hours", style="Heading2"),
    par("From 22:00 to 6:00 the house is quiet. See also section ", field(r"REF _Ref1 \r \h", "2.2"), "."),
    par('<w:bookmarkStart w:id="7" w:name="_Ref1"/>', "Waste", '<w:bookmarkEnd w:id="7"/>', style="Heading2"),
    table([[cell("Bin", merge=True), cell("Collected", span=2)], [cell("", merge=False), cell("Summer"), cell("Winter")],
           [cell("Paper"), cell("every Tuesday", span=2)], [cell("Glass"), cell("1st Monday"), cell("1st and 3rd Monday")],
           [cell("Keys"), cell(par("What they cost:") + inner + par("Ask the caretaker."), span=2)]], 3),
    par("The list starts again here:"),
    par("sort", numbered=2), par("rinse", numbered=2), par("carry down", numbered=2),
    '<w:p><w:pPr><w:numPr><w:ilvl w:val="0"/><w:numId w:val="3"/></w:numPr></w:pPr>%s<w:r><w:tab/></w:r>%s</w:p>' % (run("bulky waste:"), run("call 555-0137")),
    '<w:p><w:pPr><w:rPr><w:del w:id="105" %s/></w:rPr></w:pPr>%s</w:p>' % (who, deletion(106, "Pets need a permit.")),
    par(run("Line one"), "<w:r><w:br/></w:r>", run("line two, after a break.")),
    par("Valid from ", '<w:fldSimple w:instr=" DATE \\@ &quot;d MMMM yyyy&quot; \\* MERGEFORMAT "><w:r><w:rPr><w:noProof/></w:rPr><w:t>1 April 2025</w:t></w:r></w:fldSimple>', "."),
    '<w:sectPr><w:headerReference w:type="default" r:id="rId7"/><w:footerReference w:type="default" r:id="rId8"/><w:pgSz w:w="11906" w:h="16838"/>'
    '<w:pgMar w:top="1417" w:right="1417" w:bottom="1134" w:left="1417" w:header="708" w:footer="708" w:gutter="0"/></w:sectPr>'])
# The date is a fixed text: a field would show today's.
body = body.replace('<w:fldSimple w:instr=" DATE \\@ &quot;d MMMM yyyy&quot; \\* MERGEFORMAT ">', '<w:fldSimple w:instr=" DOCPROPERTY Valid ">')


def level(n, form, text, style=""):
    return ('<w:lvl w:ilvl="%d"><w:start w:val="1"/><w:numFmt w:val="%s"/>%s<w:lvlText w:val="%s"/><w:lvlJc w:val="left"/><w:pPr><w:ind w:left="%d" w:hanging="360"/></w:pPr></w:lvl>'
            % (n, form, '<w:pStyle w:val="%s"/>' % style if style else "", text, 360 * (n + 1)))


abstract = lambda n, *levels: '<w:abstractNum w:abstractNumId="%d"><w:multiLevelType w:val="multilevel"/>%s</w:abstractNum>' % (n, "".join(levels))
style = lambda name, title, more="": '<w:style w:type="paragraph" w:styleId="%s"><w:name w:val="%s"/>%s</w:style>' % (name, title, more)
relation = lambda n, kind, target, more="": '<Relationship Id="rId%d" Type="%s%s" Target="%s"%s/>' % (n, R, kind, target, more)
parts = {
    "[Content_Types].xml": '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
        '<Default Extension="xml" ContentType="application/xml"/><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>'
        + "".join('<Override PartName="/word/%s.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.%s+xml"/>' % (part, kind) for part, kind in (
            ("styles", "styles"), ("numbering", "numbering"), ("footnotes", "footnotes"), ("comments", "comments"), ("header1", "header"), ("footer1", "footer"), ("settings", "settings")))
        + '<Override PartName="/docProps/core.xml" ContentType="application/vnd.openxmlformats-package.core-properties+xml"/></Types>',
    "_rels/.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">' + relation(1, "officeDocument", "word/document.xml")
        + '<Relationship Id="rId2" Type="http://schemas.openxmlformats.org/package/2006/relationships/metadata/core-properties" Target="docProps/core.xml"/></Relationships>',
    "docProps/core.xml": '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Guide for New Tenants</dc:title><dc:creator></dc:creator></cp:coreProperties>',
    "word/_rels/document.xml.rels": '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">'
        + relation(1, "styles", "styles.xml") + relation(2, "numbering", "numbering.xml") + relation(3, "settings", "settings.xml") + relation(5, "footnotes", "footnotes.xml")
        + relation(6, "comments", "comments.xml") + relation(7, "header", "header1.xml") + relation(8, "footer", "footer1.xml")
        + relation(9, "hyperlink", "https://example.org/larch", ' TargetMode="External"') + "</Relationships>",
    "word/document.xml": "<w:document %s><w:body>%s</w:body></w:document>" % (W, body),
    "word/styles.xml": "<w:styles %s>%s</w:styles>" % (W, style("Normal", "Normal").replace("w:type", 'w:default="1" w:type', 1) + style("Title", "Title", '<w:basedOn w:val="Normal"/>')
        + style("Heading1", "heading 1", '<w:basedOn w:val="Normal"/><w:pPr><w:numPr><w:numId w:val="4"/></w:numPr><w:outlineLvl w:val="0"/></w:pPr><w:rPr><w:b/><w:sz w:val="32"/></w:rPr>')
        + style("Heading2", "heading 2", '<w:basedOn w:val="Normal"/><w:pPr><w:numPr><w:ilvl w:val="1"/><w:numId w:val="4"/></w:numPr><w:outlineLvl w:val="1"/></w:pPr><w:rPr><w:b/></w:rPr>')
        + style("ListNumber", "List Number", '<w:basedOn w:val="Normal"/>') + style("FootnoteText", "footnote text", '<w:basedOn w:val="Normal"/>')
        + '<w:style w:type="table" w:styleId="TableGrid"><w:name w:val="Table Grid"/></w:style>'),
    "word/numbering.xml": "<w:numbering %s>%s%s</w:numbering>" % (W,
        abstract(0, level(0, "decimal", "%1)"), level(1, "lowerLetter", "%2.")) + abstract(1, level(0, "bullet", "•"))
        + abstract(2, level(0, "decimal", "%1", "Heading1"), level(1, "decimal", "%1.%2", "Heading2")),
        '<w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num><w:num w:numId="2"><w:abstractNumId w:val="0"/><w:lvlOverride w:ilvl="0"><w:startOverride w:val="1"/></w:lvlOverride></w:num>'
        '<w:num w:numId="3"><w:abstractNumId w:val="1"/></w:num><w:num w:numId="4"><w:abstractNumId w:val="2"/></w:num>'),
    "word/footnotes.xml": '<w:footnotes %s><w:footnote w:type="separator" w:id="0"><w:p><w:r><w:separator/></w:r></w:p></w:footnote><w:footnote w:type="continuationSeparator" w:id="1"><w:p><w:r><w:continuationSeparator/></w:r></w:p></w:footnote>'
        '<w:footnote w:id="2">%s</w:footnote></w:footnotes>' % (W, par("<w:r><w:footnoteRef/></w:r>", " Ground floor, left-hand door.", style="FootnoteText")),
    "word/comments.xml": '<w:comments %s><w:comment w:id="0" %s w:initials="F">%s</w:comment></w:comments>' % (W, who, par("Should we print a sheet for this?")),
    "word/header1.xml": "<w:hdr %s>%s</w:hdr>" % (W, par("Larch Court")),
    "word/footer1.xml": "<w:ftr %s>%s</w:ftr>" % (W, par("Page ", field("PAGE", "1"))),
    "word/settings.xml": "<w:settings %s><w:trackRevisions/></w:settings>" % W,
}
with zipfile.ZipFile(sys.argv[1], "w", zipfile.ZIP_DEFLATED) as archive:
    for name, content in parts.items():
        archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), HEAD + content, zipfile.ZIP_DEFLATED)
END
"$python" "$scratch/word-docx.py" files/word-en.docx

# What must be found. Of a PDF file, what pdftotext finds in the order in which the page is
# written, which in most of these is that of reading; sheets and forms are written in another,
# and there it goes by the lines on the page. After each page comes a form feed. Signs without
# a meaning outside their font (the parts of large brackets) are left out.
for name in letter-en contract-zh invoice-de report-en archive-en form-en accounts-en slides-en paper-en maths-en \
	article-zh page-en page-zh columns-en mixed-en restricted-en xref-en; do
	order=-raw
	case $name in form-en | accounts-en) order=-layout ;; esac
	pdftotext $order -enc UTF-8 files/$name.pdf "$scratch/found" 2>/dev/null
	# TeX breaks words; nothing else here does, and no other word ends a line with a hyphen.
	join=0
	[ $name = paper-en ] && join=1
	JOIN=$join perl -CSD -0777 -pe '
		s/(?<=\p{Ll})-\n(?=\p{Ll})//g if $ENV{JOIN};
		s/\x{fb00}/ff/g; s/\x{fb01}/fi/g; s/\x{fb02}/fl/g; s/\x{fb03}/ffi/g; s/\x{fb04}/ffl/g;
		s/[\x{e000}-\x{f8ff}]//g; s/[ \t]+/ /g; s/ +$//gm; s/^ +//gm; s/\n{2,}/\n/g; s/^\n//gm' "$scratch/found" >expected/$name.pdf.txt
	if grep -q '[[:lower:]]-$' expected/$name.pdf.txt; then
		echo "error: a line of $name.pdf ends with a hyphen" >&2
		exit 1
	fi
done
# Turning the page changes no word.
cp expected/page-en.pdf.txt expected/rotated-en.pdf.txt

# Of the others, what LibreOffice finds in the file.
for file in letter-en.rtf notice-zh.rtf word-zh.rtf contract-en.docx contract-zh.docx contract-zh.odt invoice-de.docx \
	report-en.docx report-en.odt changes-en.docx changes-en.odt boxes-en.docx word-en.docx saved-en.html gbk-zh.html; do
	echo "text files/$file expected/$file.txt"
done >"$scratch/jobs"
for number in 1 2 3 4; do
	echo "text sources/book-zh/OEBPS/chapter$number.xhtml $scratch/chapter$number.txt"
done >>"$scratch/jobs"
for file in contract-en.docx contract-zh.docx contract-zh.odt invoice-de.docx report-en.docx report-en.odt boxes-en.docx \
	word-en.docx notice-zh.rtf word-zh.rtf saved-en.html gbk-zh.html slides-en.pptx slides-en.odp slides-zh.pptx; do
	echo "tables files/$file expected/$file.tables.json"
done >>"$scratch/jobs"
office <<END
$(cat "$scratch/jobs")
text sources/book-en.fodt expected/book-en.epub.txt
slides files/slides-en.pptx expected/slides-en.pptx.txt
slides files/slides-en.odp expected/slides-en.odp.txt
slides files/slides-zh.pptx expected/slides-zh.pptx.txt
sheets files/accounts-en.xlsx expected/accounts-en.xlsx.tables.json
sheets files/accounts-en.ods expected/accounts-en.ods.tables.json
sheets files/orders-zh.xlsx expected/orders-zh.xlsx.tables.json
sheets files/long-en.xlsx expected/long-en.xlsx.tables.json
sheets files/wide-en.xlsx expected/wide-en.xlsx.tables.json
tables sources/invoice-de.fodt expected/invoice-de.pdf.tables.json
tables sources/report-en.fodt expected/report-en.pdf.tables.json
tables sources/page-en.html expected/page-en.pdf.tables.json
END
cat "$scratch"/chapter1.txt "$scratch"/chapter2.txt "$scratch"/chapter3.txt "$scratch"/chapter4.txt >expected/book-zh.epub.txt

# Those that cannot be read, and why.
for file in protected.pdf protected.docx protected.xlsx protected.odt; do
	echo password >expected/$file.error
done
for file in cut.pdf cut.docx cut.xlsx random.pdf html.pdf; do
	echo broken >expected/$file.error
done
for file in scan-en.pdf scan-zh.pdf; do
	echo scan >expected/$file.error
done
for file in letter-en.doc accounts-en.xls slides-zh.ppt; do
	echo old >expected/$file.error
done
echo empty >expected/empty.pdf.error

# Nothing is without its counterpart.
for file in files/*; do
	name=${file#files/}
	if [ -z "$(find expected -name "$name.*" -size +0)" ]; then
		echo "error: nothing says what $name holds" >&2
		exit 1
	fi
done
