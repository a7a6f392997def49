({ order, customer }) => order.total > 1000 && (customer.vip || customer.country === "DE")
