"""The six forms, each filled in for one case."""

import random
from collections.abc import Callable

from generator import vocabulary as words
from generator.case import Case
from generator.page import Entry, Page

CERTIFICATE, ADMISSION, OPERATION = "진단서", "입원확인서", "수술기록"
RECEIPT, PRESCRIPTION, CLAIM = "진료비영수증", "처방전", "보험금청구서"
FORMS = (CERTIFICATE, ADMISSION, OPERATION, RECEIPT, PRESCRIPTION, CLAIM)
HANDWRITTEN_FORMS = (CLAIM, CERTIFICATE, PRESCRIPTION)


def fill_in(rng: random.Random, form: str, *, face: str, size: int, handwritten: bool) -> Page:
    """Return a filled-in form."""
    case = Case.invent(rng, operated=form == OPERATION)
    page = Page(face, size, handwritten=handwritten)
    page.title("수술기록지" if form == OPERATION else form)
    page.row(
        [
            Entry("patient", "text", "환자성명", case.patient),
            Entry("rrn", "code", "주민번호", case.resident_number),
        ]
    )
    if form in (CERTIFICATE, ADMISSION, OPERATION):
        _chart(page, case, words.DEPARTMENTS)
    if form in (CERTIFICATE, CLAIM):
        page.row([Entry("address", "text", "주소", case.address)])
    _BODIES[form](page, case)
    _sign(page, case, form)
    return page


def _won(amount: int) -> str:
    """Return an amount in won."""
    return f"{amount:,}원"


def _chart(page: Page, case: Case, departments: tuple[str, ...]) -> None:
    """Write chart number and department."""
    page.row(
        [
            Entry("chart_no", "code", "등록번호", case.chart_number),
            Entry("dept", "text", "진료과", case.rng.choice(departments)),
        ]
    )


def _certificate(page: Page, case: Case) -> None:
    """Write the body of a medical certificate."""
    admitted = case.date(case.admitted)
    page.row([Entry("dx", "text", "병명", case.diagnosis)])
    page.row(
        [
            Entry("dx_code", "code", "질병코드", case.code),
            Entry("onset", "date", "발병일", admitted),
        ]
    )
    page.row(
        [
            Entry("dx_date", "date", "진단일", admitted),
            Entry("use", "text", "용도", case.rng.choice(words.USES)),
        ]
    )
    page.y += 24
    page.paragraph("opinion", "치료 내용 및 향후 치료 의견", case.notes(case.rng.randint(4, 6)))


def _admission(page: Page, case: Case) -> None:
    """Write the body of a confirmation of a hospital stay."""
    admitted, discharged = case.date(case.admitted), case.date(case.discharged)
    whole = case.rng.randint
    page.row([Entry("dx", "text", "병명", case.diagnosis)])
    ward = f"{whole(3, 9)}{whole(0, 1)}{whole(1, 9)}호"
    page.row(
        [
            Entry("dx_code", "code", "질병코드", case.code),
            Entry("ward", "code", "병실", ward),
        ]
    )
    page.row(
        [
            Entry("admit", "date", "입원일자", admitted),
            Entry("discharge", "date", "퇴원일자", discharged),
        ]
    )
    page.row([Entry("los", "code", "입원일수", f"{case.days}일간")])
    page.y += 24
    page.paragraph("statement", None, words.STAY.format(admitted, discharged))
    page.paragraph("opinion", "비고", case.notes(whole(1, 3)))


def _operation(page: Page, case: Case) -> None:
    """Write the body of an operation record."""
    page.row([Entry("pre_dx", "text", "수술전진단", case.diagnosis)])
    page.row([Entry("op", "text", "수술명", str(case.operation))])
    page.row(
        [
            Entry("dx_code", "code", "질병코드", case.code),
            Entry("op_date", "date", "수술일자", case.date(case.admitted)),
        ]
    )
    page.row(
        [
            Entry("surgeon", "text", "집도의", case.doctor),
            Entry("anes", "text", "마취방법", case.rng.choice(words.ANAESTHESIA)),
        ]
    )
    page.y += 24
    page.paragraph("findings", "수술 소견", case.notes(case.rng.randint(3, 4)))
    page.paragraph("procedure", "수술 과정", case.notes(case.rng.randint(4, 6)))


def _receipt(page: Page, case: Case) -> None:
    """Write the body of a receipt: charges, of which the insured pays a fifth."""
    _chart(page, case, words.RECEIPT_DEPARTMENTS)
    stay = f"{case.date(case.admitted)} ~ {case.date(case.discharged)}"
    page.row([Entry("period", "date", "진료기간", stay)])
    page.y += 20
    rows, insured, uninsured = _charges(case.rng)
    page.table(
        "line",
        [["항목", "본인부담금", "공단부담금", "비급여"], *rows],
        widths=[4, 3, 3, 3],
        kinds=["text", "amount", "amount", "amount"],
    )
    total, due = _won(insured + uninsured), _won(_fifth(insured) + uninsured)
    page.row([Entry("total", "amount", "진료비총액", total)])
    page.row([Entry("copay", "amount", "본인부담", due), Entry("paid", "amount", "납부금액", due)])


def _charges(rng: random.Random) -> tuple[list[list[str]], int, int]:
    """Return the rows of a receipt, and the sums of insured and of uninsured charges."""
    n = rng.randint(6, 11)
    rows, insured, uninsured = [], 0, 0
    for item in rng.sample(words.CHARGES, n):
        covered = rng.randint(3, 920) * 310
        extra = rng.choice([0, 0, rng.randint(10, 600) * 250])
        own = _fifth(covered)
        rows.append([item, f"{own:,}", f"{covered - own:,}", f"{extra:,}"])
        insured, uninsured = insured + covered, uninsured + extra
    return rows, insured, uninsured


def _fifth(amount: int) -> int:
    """Return a fifth, cut to tens of won."""
    return int(amount * 0.2) // 10 * 10


def _prescription(page: Page, case: Case) -> None:
    """Write the body of a prescription."""
    whole = case.rng.randint
    year, month, day = case.admitted
    number = f"{year}{month:02d}{day:02d}-{whole(1, 999):05d}"
    page.row(
        [
            Entry("dx_code", "code", "질병분류", case.code),
            Entry("rx_no", "code", "교부번호", number),
        ]
    )
    page.y += 20
    n = whole(3, 6)
    drugs = [[drug, dose, f"{whole(3, 30)}일"] for drug, dose in case.rng.sample(words.DRUGS, n)]
    page.table(
        "drug",
        [["처방 의약품의 명칭", "용법", "투약일수"], *drugs],
        widths=[5, 5, 2],
        kinds=["text", "text", "code"],
    )
    page.paragraph("advice", None, words.PICK_UP.format(whole(3, 7)))


def _claim(page: Page, case: Case) -> None:
    """Write the body of an insurance claim."""
    whole = case.rng.randint
    insurer = case.rng.choice(words.INSURERS)
    page.row(
        [
            Entry("insurer", "text", "보험회사", insurer),
            Entry("policy", "code", "증권번호", case.policy_number),
        ]
    )
    phone = f"010-{whole(0, 999):04d}-{whole(0, 9999):04d}"
    account = f"{whole(100, 999)}-{whole(10, 99)}-{whole(100_000, 999_999)}"
    page.row(
        [
            Entry("phone", "code", "연락처", phone),
            Entry("bank", "code", "계좌번호", account),
        ]
    )
    page.row(
        [
            Entry("event_date", "date", "사고일자", case.date(case.admitted)),
            Entry("dx_code", "code", "질병코드", case.code),
        ]
    )
    page.row([Entry("dx", "text", "진단명", case.diagnosis)])
    amount = _won(whole(20, 9800) * 1000 + whole(0, 99) * 10)
    page.row([Entry("claim", "amount", "청구금액", amount)])
    page.y += 24
    page.paragraph("story", "사고 경위", case.notes(whole(2, 4)))
    page.paragraph("consent", None, words.CONSENT)


def _sign(page: Page, case: Case, form: str) -> None:
    """Write date and signatures."""
    date = case.date(case.discharged)
    if form == CLAIM:
        recipient = f"{case.rng.choice(words.INSURERS)} 귀중"
        page.foot(date, f"청구인 {case.patient}", recipient)
    else:
        page.foot(date, case.hospital, f"담당의사 {case.doctor} (인)")


_BODIES: dict[str, Callable[[Page, Case], None]] = {
    CERTIFICATE: _certificate,
    ADMISSION: _admission,
    OPERATION: _operation,
    RECEIPT: _receipt,
    PRESCRIPTION: _prescription,
    CLAIM: _claim,
}
