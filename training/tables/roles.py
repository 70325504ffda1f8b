"""What a print may be. The order is that of the network's output and of `ROLES` in the product's decoder."""

FIELDS = ("drugCode", "drugName", "quantity", "timesPerDay", "days", "prescribedQty", "unitPrice", "totalAmount")
# A field's header; of a code with its name the name's.
HEADERS = {**{f: f"{f}Header" for f in FIELDS}, "codeName": "drugNameHeader", "dailyDose": "dailyDoseHeader"}
ROLES = ("none", *FIELDS, "codeName", "dailyDose", "doses", *(f"{f}Header" for f in FIELDS), "dailyDoseHeader", "total")
