"""What PDF/A-3 and PDF/UA ask of an archived PDF and WeasyPrint does not do."""

from typing import Any

_UA = b"""<rdf:Description rdf:about="" xmlns:pdfaExtension="http://www.aiim.org/pdfa/ns/extension/"
 xmlns:pdfaSchema="http://www.aiim.org/pdfa/ns/schema#"
 xmlns:pdfaProperty="http://www.aiim.org/pdfa/ns/property#">
<pdfaExtension:schemas><rdf:Bag><rdf:li rdf:parseType="Resource">
<pdfaSchema:schema>PDF/UA identification schema</pdfaSchema:schema>
<pdfaSchema:namespaceURI>http://www.aiim.org/pdfua/ns/id/</pdfaSchema:namespaceURI>
<pdfaSchema:prefix>pdfuaid</pdfaSchema:prefix>
<pdfaSchema:property><rdf:Seq><rdf:li rdf:parseType="Resource">
<pdfaProperty:name>part</pdfaProperty:name>
<pdfaProperty:valueType>Integer</pdfaProperty:valueType>
<pdfaProperty:category>internal</pdfaProperty:category>
<pdfaProperty:description>Part of PDF/UA that the file conforms to</pdfaProperty:description>
</rdf:li></rdf:Seq></pdfaSchema:property>
</rdf:li></rdf:Bag></pdfaExtension:schemas>
</rdf:Description>
<rdf:Description rdf:about="" xmlns:pdfuaid="http://www.aiim.org/pdfua/ns/id/">
<pdfuaid:part>1</pdfuaid:part>
</rdf:Description>
"""
"""Claim of PDF/UA-1, after the description of its property, which PDF/A does not know."""
_END = b"</rdf:RDF>"


def conform(_document: Any, pdf: Any) -> None:
    """Finish a PDF of WeasyPrint: claim PDF/UA too, list each attachment once, smooth no picture.

    The page is tagged alike for both standards. WeasyPrint lists every attachment twice, and asks
    viewers to smooth pictures, which PDF/A forbids.
    """
    if "AF" in pdf.catalog:
        pdf.catalog["AF"][:] = dict.fromkeys(pdf.catalog["AF"])
    for item in pdf.objects:
        extra = getattr(item, "extra", {})
        if extra.get("Interpolate") == "true":
            extra["Interpolate"] = "false"
    metadata = pdf.objects[int(pdf.catalog["Metadata"].split()[0])]
    metadata.stream = [part.replace(_END, _UA + _END) for part in metadata.stream]
