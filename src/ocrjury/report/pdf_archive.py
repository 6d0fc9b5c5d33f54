"""Requirements of PDF/A-3 and PDF/UA that WeasyPrint does not meet by itself."""

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


def conform(pdf: Any, *, archived: bool) -> None:
    """Finish a PDF of WeasyPrint as PDF/UA-1 asks and, if it is for an archive, as PDF/A-3 does."""
    tag_links(pdf)
    if archived:
        claim_both(pdf)
        list_attachments_once(pdf)
        smooth_nothing(pdf)


def tag_links(pdf: Any) -> None:
    """Tag whatever can be clicked as a link: WeasyPrint tags a span inside a link as a span."""
    objects: list[Any] = [item for item in pdf.objects if isinstance(item, dict)]
    links = {item.reference for item in objects if item.get("Subtype") == "/Link"}
    to_links = {item.reference for item in objects if item.get("Obj") in links}
    for item in objects:
        if item.get("Type") == "/StructElem" and not to_links.isdisjoint(_references(item)):
            item["S"] = "/Link"


def _references(element: Any) -> list[Any]:
    return [kid for kid in element["K"] if isinstance(kid, (bytes, str))]


def claim_both(pdf: Any) -> None:
    """Claim PDF/UA beside PDF/A: the page is tagged alike for both, and WeasyPrint claims one."""
    metadata = pdf.objects[int(pdf.catalog["Metadata"].split()[0])]
    metadata.stream = [part.replace(_END, _UA + _END) for part in metadata.stream]


def list_attachments_once(pdf: Any) -> None:
    """List each attachment once: WeasyPrint lists every one twice."""
    if "AF" in pdf.catalog:
        pdf.catalog["AF"][:] = dict.fromkeys(pdf.catalog["AF"])


def smooth_nothing(pdf: Any) -> None:
    """Ask no viewer to smooth a picture, which PDF/A forbids and WeasyPrint does."""
    for item in pdf.objects:
        extra = getattr(item, "extra", {})
        if extra.get("Interpolate") == "true":
            extra["Interpolate"] = "false"
