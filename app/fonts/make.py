# Cuts the two font files of this folder. Needs fontTools and brotli, and the two npm packages unpacked beside each other:
#   python3 make.py <inter-ui>/variable/InterVariable.woff2 <@fontsource-variable/jetbrains-mono>/files
import sys
from fontTools import merge, subset
from fontTools.ttLib import TTFont
from fontTools.varLib import instancer

LETTERS = (
    'U+0020-007E,U+00A0-00FF,U+011E,U+011F,U+0130,U+0131,U+015E,U+015F,U+0152,U+0153,U+0160,U+0161,U+017D,U+017E,U+0178,'
    'U+2010-2015,U+2018-201E,U+2020-2022,U+2026,U+2030,U+202F,U+2032,U+2033,U+2039,U+203A,U+2044,U+20A4,U+20AC,U+20BA,U+20BD,'
    'U+20BF,U+2116,U+2122,U+2190-2193,U+2197,U+21A9,U+2212,U+2215,U+2248,U+2260,U+2264,U+2265,U+2318,U+21E7,U+0302,U+0306-0308,U+0327'
)
# Figures and their signs alone: the family's own feature also widens every space and hyphen.
TABULAR = 'zero one two three four five six seven eight nine plus minus'.split()


def cut(font, features, path):
    options = subset.Options()
    options.flavor, options.layout_features, options.hinting = 'woff2', features, False
    options.drop_tables += ['DSIG', 'meta']
    subsetter = subset.Subsetter(options)
    subsetter.populate(unicodes=subset.parse_unicodes(LETTERS))
    subsetter.subset(font)
    subset.save_font(font, path, options)


def inter(source):
    font = TTFont(source)
    gsub = font['GSUB'].table
    for record in gsub.FeatureList.FeatureRecord:
        if record.FeatureTag != 'tnum':
            continue
        for index in record.Feature.LookupListIndex:
            for table in gsub.LookupList.Lookup[index].SubTable:
                table = getattr(table, 'ExtSubTable', table)
                table.mapping = {glyph: wide for glyph, wide in table.mapping.items() if glyph in TABULAR}
    cut(font, ['kern', 'ccmp', 'locl', 'mark', 'mkmk', 'tnum', 'case'], 'inter.woff2')
    narrowed = instancer.instantiateVariableFont(TTFont('inter.woff2'), {'opsz': 14, 'wght': (400, 400, 600)})
    narrowed.flavor = 'woff2'
    narrowed.save('inter.woff2')


def mono(folder):
    halves = []
    for part in ('latin', 'latin-ext'):
        font = TTFont(f'{folder}/jetbrains-mono-{part}-wght-normal.woff2')
        font.flavor = None
        path = f'/tmp/mono-{part}.ttf'
        instancer.instantiateVariableFont(font, {'wght': 450}).save(path)
        halves.append(path)
    cut(merge.Merger().merge(halves), ['ccmp', 'locl', 'mark', 'mkmk'], 'jetbrains-mono.woff2')


def printed():
    # For the PDF pages that lib/receipts/merged writes: one weight, the letters of the Turkish code page, no features.
    font = instancer.instantiateVariableFont(TTFont('inter.woff2'), {'wght': 400})
    options = subset.Options()
    options.layout_features, options.hinting = [], False
    subsetter = subset.Subsetter(options)
    subsetter.populate(text=bytes(range(32, 256)).decode('cp1254', 'ignore'))
    subsetter.subset(font)
    font.flavor = None
    font.save('../../lib/receipts/merged/inter-1254.ttf')


inter(sys.argv[1])
printed()
mono(sys.argv[2])
